/// What a client sees of an exchange that got no whole response.
package enum WireError: Error, Sendable, Equatable {
    /// The host's name has no address.
    case unknownHost(String)
    /// Nothing listens at `host:port`.
    case refused(String)
    /// The time allowed for the whole exchange ran out after so many octets of the response.
    case timedOut(received: Int)
    /// The connection was reset after so many octets of the response.
    case reset(received: Int)
    /// The server closed before the response was whole, after so many octets.
    case closed(received: Int)
    /// What came is no HTTP/1 response.
    case malformed(String)
    /// A system call failed.
    case system(call: String, code: Int32)
}

extension WireError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownHost(let host): "\(host) has no address"
        case .refused(let place): "nothing listens at \(place)"
        case .timedOut(let received): received == 0 ? "no answer in time" : "silence after \(received) octets"
        case .reset(let received): "connection reset after \(received) octets"
        case .closed(0): "connection closed without an answer"
        case .closed(let received): "connection closed in the middle, after \(received) octets"
        case .malformed(let message): "no HTTP response: \(message)"
        case .system(let call, let code): "\(call) failed (error \(code))"
        }
    }
}
