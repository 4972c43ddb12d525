/// Faults that keep the connection open and leave the client to its own time limit.
extension FaultDescription {
    static let timeout = FaultDescription(
        summary: "reads the request, answers nothing, holds the connection until the client leaves",
        shows: .nothing, breaksConnection: true, urlErrorCode: -1001)
    static let stall = FaultDescription(
        summary: "sends the head and half of the body, then nothing more",
        shows: .answer, breaksConnection: true, cutsAnswer: true)
}
