import Dispatch

/// One thing that a scripted upstream does with a connection.
package enum ScriptStep: Sendable {
    /// Reads up to the empty line after a head; what came behind it stays unread.
    case readHead
    /// Reads a head and the body that its Content-Length or `Transfer-Encoding: chunked` announces.
    case readRequest
    /// Reads so many further octets.
    case read(Int)
    /// Reads until what was read ends with these octets.
    case readUntil([UInt8])
    /// Sends exactly these octets.
    case send([UInt8])
    /// Waits until the test opens the gate.
    case wait(ScriptGate)
    /// Reads and drops, and says nothing, until the client leaves or the upstream stops.
    case hold
    /// Ends the connection with FIN.
    case close
    /// Ends the connection with RST.
    case reset

    /// Sends text as its UTF-8 octets.
    package static func send(_ text: String) -> ScriptStep { .send(Array(text.utf8)) }
}

/// A point at which a script waits for the test; once open it stays open.
package final class ScriptGate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    package func open() {
        semaphore.signal()
    }

    func pass() {
        semaphore.wait()
        semaphore.signal()
    }
}
