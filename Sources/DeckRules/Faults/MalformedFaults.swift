/// Faults that answer, but not in HTTP as it is written down.
extension FaultDescription {
    static let malformedResponse = FaultDescription(
        summary: "sends garbage for a status line",
        shows: .itsOwn, breaksConnection: true)
    static let malformedChunk = FaultDescription(
        summary: "sends a chunk whose size is no number",
        shows: .answer, breaksConnection: true)
    static let wrongCoding = FaultDescription(
        summary: "says that the body is gzip, which it is not",
        shows: .answer, breaksConnection: false)
}
