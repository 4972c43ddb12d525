import DeckEngine
import SystemIO
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension DeckEnvironment {
    /// The machine's clocks, a loop for each core, and the poller that `TAPEDECK_POLLER` names.
    ///
    /// - Throws: `UsageError` for a poller that this machine does not have.
    static func ofProcess(
        _ variables: [String: String], log: @escaping @Sendable (LogEvent) -> Void
    ) throws(UsageError) -> DeckEnvironment {
        let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        return DeckEnvironment(
            wallClock: .system, loopClock: .system, loops: cores, poller: try PollerKind.ofProcess(variables),
            variable: { variables[$0] }, log: log)
    }
}

extension PollerKind {
    /// The poller that `TAPEDECK_POLLER` names, else the machine's best.
    ///
    /// - Throws: `UsageError` for one that this machine does not have.
    static func ofProcess(_ variables: [String: String]) throws(UsageError) -> PollerKind {
        guard let name = variables["TAPEDECK_POLLER"], !name.isEmpty else { return allCases[0] }
        guard let kind = PollerKind(rawValue: name) else {
            let known = allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("TAPEDECK_POLLER=\(name) is not one of \(known)")
        }
        return kind
    }
}
