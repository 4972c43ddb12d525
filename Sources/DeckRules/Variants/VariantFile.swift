package import HTTPCore

/// A file with a body, whose name may have a route's parameters in it: `sold-out-{itemId}.json`.
package struct VariantFile: Sendable, Equatable {
    /// The name as written.
    package var text: String
    /// The folder of the configuration; empty for the current one.
    package var folder: String
    /// What the file held at start; nil where the name has parameters.
    package var contents: Bytes?
    private var name: NameTemplate

    /// Reads a name.
    ///
    /// - Throws: ``RuleError`` for a name that is empty, absolute, leads out of the folder, or has braces that are no
    ///   parameter.
    package init(_ text: String, folder: String) throws(RuleError) {
        self.text = text
        self.folder = folder
        name = try NameTemplate(text)
        try VariantFile.refuseEscape(text)
    }

    /// The names of the parameters, in order.
    package var parameterNames: [String] { name.parameterNames }

    /// The path of the file for a request.
    ///
    /// - Throws: ``RuleError`` for a parameter that the route does not have or whose value is empty, and for a name that
    ///   comes out absolute, with a part `..`, or with a control character.
    package func path(_ parameters: [String: String]) throws(RuleError) -> String {
        let built = try name.filled(with: parameters)
        try VariantFile.refuseEscape(built)
        if folder.isEmpty { return built }
        return folder.hasSuffix("/") ? folder + built : "\(folder)/\(built)"
    }

    private static func refuseEscape(_ name: String) throws(RuleError) {
        if name.isEmpty { throw RuleError("a body file has no name", advice: "name a file beside the configuration") }
        if name.hasPrefix("/") {
            throw RuleError("the body file `\(name)` is absolute", advice: "name it relative to the configuration")
        }
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if parts.contains(where: { $0.elementsEqual("..".utf8) }) {
            throw RuleError(
                "the body file `\(name)` has a part `..`", advice: "keep it below the configuration's folder")
        }
        if name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) {
            throw RuleError(
                "a body file's name has a control character", advice: "name a file beside the configuration")
        }
    }

    /// By the name's ending; nil for one that is not in the table.
    package var mediaType: String? {
        guard let dot = text.lastIndex(of: ".") else { return nil }
        return VariantFile.mediaTypes[text[text.index(after: dot)...].lowercased()]
    }

    private static let mediaTypes = [
        "json": "application/json", "txt": "text/plain; charset=utf-8", "html": "text/html; charset=utf-8",
        "xml": "application/xml", "csv": "text/csv; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
        "gif": "image/gif", "webp": "image/webp", "svg": "image/svg+xml", "pdf": "application/pdf",
    ]
}

/// A text with `{name}` in it.
struct NameTemplate: Sendable, Equatable {
    private enum Piece: Sendable, Equatable {
        case literal(String)
        case parameter(String)
    }

    private let text: String
    private var pieces: [Piece] = []

    init(_ text: String) throws(RuleError) {
        self.text = text
        var rest = text[...]
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
                throw RuleError("a brace in `\(text)` has no partner", advice: "write {name} for a route's parameter")
            }
            let name = rest[rest.index(after: open)..<close]
            guard !name.isEmpty, !name.contains("{") else {
                throw RuleError("`\(text)` has braces without a name", advice: "write {name} for a route's parameter")
            }
            pieces.append(.literal(String(rest[..<open])))
            pieces.append(.parameter(String(name)))
            rest = rest[rest.index(after: close)...]
        }
        pieces.append(.literal(String(rest)))
    }

    var parameterNames: [String] {
        pieces.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }

    func filled(with parameters: [String: String]) throws(RuleError) -> String {
        var built = ""
        for piece in pieces {
            switch piece {
            case .literal(let text): built += text
            case .parameter(let name):
                guard let value = parameters[name], !value.isEmpty else {
                    throw RuleError(
                        "the parameter {\(name)} of the body file `\(text)` is empty",
                        advice: "request a path that fills it, or choose another variant")
                }
                built += value
            }
        }
        return built
    }
}
