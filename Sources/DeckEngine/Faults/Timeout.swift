import Transport

extension WireFault {
    /// Answers nothing and holds the connection until the client leaves.
    ///
    /// curl ends with code 28 at its `--max-time`, URLSession with `timedOut` (-1001), requests with `ReadTimeout`, fetch with
    /// the reason of its abort signal.
    static let timeout = WireFault { http, _ in
        http.hold()
    }
}
