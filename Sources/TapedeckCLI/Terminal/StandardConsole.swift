import SystemIO

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension Console {
    /// The console of this process: color on a terminal, unless `NO_COLOR` is set (no-color.org).
    package static func standard(variables: [String: String]) -> Console {
        let mayColor = variables["NO_COLOR", default: ""].isEmpty && variables["TERM"] != "dumb"
        return Console(
            outHasColor: mayColor && isatty(1) == 1, errorHasColor: mayColor && isatty(2) == 1,
            writeOut: { write($0, to: 1) }, writeError: { write($0, to: 2) })
    }

    /// Writes all octets; what a reader that has gone no longer takes is dropped.
    private static func write(_ octets: [UInt8], to descriptor: Int32) {
        var offset = 0
        while offset < octets.count {
            let rest = octets[offset...]
            let written = try? SystemCall.retry("write") {
                rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            }
            guard let written else { return }
            offset += written
        }
    }
}
