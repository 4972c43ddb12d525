import HTTPCore

/// Why an upstream gave no whole answer.
///
/// The message names hosts, ports and sizes, never a query, a field's value or a body.
package struct UpstreamError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What the client is answered, where nothing was sent yet: 502, 504, or 501 for what cannot be sent on.
    package var status: Int
    /// One of a fixed set of words, for counting.
    package var label: String
    /// What happened, to which upstream, and what to do.
    package var message: String
    /// libcurl's code (`libcurl-errors(3)`), 0 where the fault was not found by libcurl.
    package var curlCode: Int

    package init(status: Int = 502, label: String, message: String, curlCode: Int = 0) {
        self.status = status
        self.label = label
        self.message = message
        self.curlCode = curlCode
    }

    package var description: String { message }

    /// The exchange was cancelled by whoever asked for it.
    static let cancelled = UpstreamError(
        label: "upstream-cancelled", message: "The exchange with the upstream was cancelled.")

    /// The client was shut down with the exchange still going on.
    static let stopped = UpstreamError(
        label: "upstream-stopped", message: "The exchange with the upstream was ended because the deck stops.")

    /// Asked for more after the end: a mistake of the asker.
    static let afterEnd = UpstreamError(
        status: 500, label: "upstream-over", message: "The exchange with the upstream is over; nothing more comes.")

    static let memory = UpstreamError(
        label: "upstream-memory", message: "libcurl could not be set up: memory is out.")

    /// An answer that RFC 9112 forbids.
    static func malformed(_ error: ParseError, _ upstream: String) -> UpstreamError {
        if error.label == "cut" { return cut("the connection ended too early", upstream) }
        var advice =
            "A client could read it otherwise than tapedeck, so it is not passed on; repair it in the upstream."
        if error.label == "transfer-coding" {
            advice = "Ask the upstream for Content-Encoding instead, or switch its transfer coding off."
        }
        return UpstreamError(
            label: "upstream-malformed",
            message: "\(upstream) sent a malformed answer: \(error.message) (\(error.label)). \(advice)")
    }

    /// An answer that ended before its end.
    static func cut(_ reason: String, _ upstream: String, code: Int = 0) -> UpstreamError {
        UpstreamError(
            label: "upstream-cut",
            message: "\(upstream) cut its answer short: \(reason). Look into the upstream's log; "
                + "what came is not stored.",
            curlCode: code)
    }

    /// The upstream was silent for too long.
    static func timeout(afterHead: Bool, _ limit: Duration, _ upstream: String) -> UpstreamError {
        let (seconds, attoseconds) = limit.components
        let time = seconds > 0 ? "\(seconds) s" : "\(attoseconds / 1_000_000_000_000_000) ms"
        return UpstreamError(
            status: 504, label: afterHead ? "upstream-idle-timeout" : "upstream-head-timeout",
            message: afterHead
                ? "\(upstream) sent nothing for \(time) in the middle of its answer. Look into the upstream's log."
                : "\(upstream) did not begin an answer within \(time). Is the backend busy, or waiting for something?")
    }
}
