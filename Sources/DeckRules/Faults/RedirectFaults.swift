/// Faults that send the client elsewhere.
extension FaultDescription {
    static let redirectLoop = FaultDescription(
        summary: "answers 302 to the request's own address",
        shows: .itsOwn, breaksConnection: false)
}
