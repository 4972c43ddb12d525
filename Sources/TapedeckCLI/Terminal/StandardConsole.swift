import SystemIO

extension Console {
    /// The console of this process: color on a terminal, unless `NO_COLOR` is set (no-color.org). What cannot be written
    /// is dropped.
    package static func standard(variables: [String: String]) -> Console {
        let mayColor = variables["NO_COLOR", default: ""].isEmpty && variables["TERM"] != "dumb"
        return Console(
            outHasColor: mayColor && isTerminal(1), errorHasColor: mayColor && isTerminal(2),
            writeOut: { _ = try? StandardStreams.write($0, to: .output) },
            writeError: { _ = try? StandardStreams.write($0, to: .error) })
    }
}
