/// The content codings that are undone for storing and done again on replay (RFC 9110 §8.4.1, RFC 7932, RFC 8878).
package enum ContentCoding: String, Sendable, CaseIterable {
    case gzip
    /// The zlib format (RFC 1950), which is what the name means; raw deflate is refused.
    case deflate
    case br
    case zstd

    /// Reads one member of a Content-Encoding or Accept-Encoding list, in any case; `x-gzip` is `gzip` (RFC 9110 §8.4.1.3).
    package init?(token: String) {
        let name = token.lowercased()
        self.init(rawValue: name == "x-gzip" ? "gzip" : name)
    }
}
