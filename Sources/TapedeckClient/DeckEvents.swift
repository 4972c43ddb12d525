import Dispatch
import HTTPCore
import Synchronization

/// What `GET /events` tells: a name and a JSON document.
public struct DeckEvent: Sendable, Equatable {
    /// `exchange`, whose data is an `ExchangeEvent`, or `change`, whose data is a `ChangeEvent`.
    public var name: String
    /// The document.
    public var data: [UInt8]

    public init(name: String, data: [UInt8]) {
        self.name = name
        self.data = data
    }
}

/// Takes server-sent events out of a stream, however it is cut (WHATWG HTML §9.2; comments are passed over).
struct EventLines {
    private var rest: [UInt8] = []
    private var name = ""
    private var data: [UInt8] = []

    mutating func take(_ piece: [UInt8]) -> [DeckEvent] {
        rest += piece
        var events: [DeckEvent] = []
        while let end = rest.firstIndex(of: 0x0A) {
            let line = Array(rest[..<end])
            rest.removeSubrange(...end)
            if line.isEmpty {
                if !data.isEmpty { events.append(DeckEvent(name: name, data: data)) }
                (name, data) = ("", [])
            } else if line.starts(with: "event: ".utf8) {
                name = String(decoding: line.dropFirst(7), as: UTF8.self)
            } else if line.starts(with: "data: ".utf8) {
                data += line.dropFirst(6)
            }
        }
        return events
    }
}

extension WireClient {
    /// Sends a request and hands over the body of the response as it comes, on a thread that may block.
    ///
    /// - Parameter take: false ends the reading.
    /// - Returns: the response, with the part of its body that was not handed over: all of it where the status is not 200.
    func stream(_ request: WireRequest, _ take: @escaping @Sendable ([UInt8]) -> Bool) async throws(WireError)
        -> WireResponse?
    {
        let result: Result<WireResponse?, WireError> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    returning: Result { () throws(WireError) in try sendAndRead(request, handingOver: take) })
            }
        }
        return try result.get()
    }
}
