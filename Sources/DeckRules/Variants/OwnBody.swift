package import CassetteKit
package import HTTPCore

/// The body of a variant's own answer.
package enum OwnBody: Sendable, Equatable {
    /// A JSON value, sent without white space.
    case json(JSONValue)
    /// A text, sent as UTF-8.
    case text(String)
    /// A file beside the configuration.
    case file(VariantFile)

    /// The media type that goes with the body unless a variant says otherwise; nil where the file's name does not tell.
    package var mediaType: String? {
        switch self {
        case .json: "application/json"
        case .text: "text/plain; charset=utf-8"
        case .file(let file): file.mediaType
        }
    }

    /// The body's octets; nil where they are in a file whose name depends on the request.
    package var octets: Bytes? {
        switch self {
        case .json(let value): JSONText.write(value, layout: .compact)
        case .text(let text): Array(text.utf8)
        case .file(let file): file.contents
        }
    }
}
