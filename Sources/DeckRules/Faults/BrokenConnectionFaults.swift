/// Faults that end the connection before the answer is complete.
extension FaultDescription {
    static let offline = FaultDescription(
        summary: "refuses connections on a session's own port, else resets after the request is read",
        shows: .nothing, breaksConnection: true, urlErrorCode: -1009)
    static let connectionReset = FaultDescription(
        summary: "sends the head and part of the body, then resets the connection",
        shows: .answer, breaksConnection: true, cutsAnswer: true)
    static let emptyResponse = FaultDescription(
        summary: "closes the connection without an octet",
        shows: .nothing, breaksConnection: true)
    static let truncatedBody = FaultDescription(
        summary: "announces the whole body, sends half of it and closes",
        shows: .answer, breaksConnection: true, cutsAnswer: true)
}
