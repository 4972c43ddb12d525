/// Why octets were not taken for one well-formed stream of their coding, or not coded.
package enum CodecError: Error, Sendable, Equatable, CustomStringConvertible {
    /// No stream of this coding, in the library's own words.
    case malformed(ContentCoding, String)
    /// The stream is whole, and more octets follow: a second member, or something else.
    case trailing
    /// The octets end before the stream does.
    case truncated
    /// More than `limit` octets come out.
    case tooLarge(limit: Int)
    /// More than `limit` octets come out for each that went in.
    case ratio(limit: Int)
    /// The library could not begin, which it says when memory is short.
    case unavailable(ContentCoding)

    package var description: String {
        switch self {
        case .malformed(let coding, let words): "not a \(coding.rawValue) stream: \(words)"
        case .trailing: "octets follow the end of the stream"
        case .truncated: "the stream is cut short"
        case .tooLarge(let limit): "it decodes to more than \(limit) octets"
        case .ratio(let limit): "it decodes to more than \(limit) times its size"
        case .unavailable(let coding): "the \(coding.rawValue) library could not begin: is memory short?"
        }
    }
}
