/// The members of a control document, as its type reads and writes them.
struct DocumentShape: Sendable, Equatable {
    /// What a member's value can be.
    indirect enum Kind: Sendable, Equatable {
        case text, integer, natural, number, truth
        /// One of a few words.
        case choice([String])
        case list(Kind)
        /// An object with any keys.
        case map(Kind)
        /// Another document, by its type's name.
        case document(String)
    }

    struct Member: Sendable, Equatable {
        var name: String
        var kind: Kind
        var isOptional: Bool
    }

    var members: [Member] = []

    /// The shapes of a document and of all that it holds, by the names of their types.
    ///
    /// - Throws: `DecodingError` for a type that is not put together from texts, numbers, lists, objects and such documents.
    static func all(of type: any Decodable.Type) throws -> [String: DocumentShape] {
        let reader = ShapeReader()
        _ = try reader.kind(of: type)
        return reader.shapes
    }
}
