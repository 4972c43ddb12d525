package import HTTPCore
import SystemIO

/// A body at rest: its octets after content decoding, in the form in which people read them best.
package struct RecordedBody: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        /// A JSON text; writing the value with the layout gives its octets.
        case json(JSONValue, JSONLayout)
        /// UTF-8 text without odd control characters, as octets.
        case text(Bytes)
        /// Any octets.
        case base64(Bytes)
        /// Octets in a file beside the interaction.
        case file(BodyFile)
    }

    package var content: Content
    /// The content coding that is applied on replay, for example `gzip`; nil if the octets are as they were sent.
    package var coding: String?
    /// Keys that this version does not know, kept on rewrite.
    package var unknown: [JSONMember]

    package init(_ content: Content, coding: String? = nil, unknown: [JSONMember] = []) {
        self.content = content
        self.coding = coding
        self.unknown = unknown
    }

    /// The octets before `coding` is applied.
    ///
    /// - Throws: `FormatError` if a file beside can't be read.
    package func octets() throws(FormatError) -> Bytes {
        switch content {
        case .json(let value, let layout): JSONText.write(value, layout: layout)
        case .text(let octets), .base64(let octets): octets
        case .file(let file): try file.read()
        }
    }
}

/// A body's file, beside its interaction.
package struct BodyFile: Sendable, Equatable {
    /// The file's name; never a path.
    package var name: String
    /// The folder of the interactions.
    package var folder: String

    package init(name: String, folder: String) {
        self.name = name
        self.folder = folder
    }

    package var path: String { "\(folder)/\(name)" }

    /// Reads the whole file.
    package func read() throws(FormatError) -> Bytes {
        do throws(SystemError) {
            return try Files.read(path)
        } catch {
            throw FormatError(
                file: path, message: "The body can't be read: \(error.reason)",
                advice: "Restore the file from version control or record the interaction again")
        }
    }

    package static func == (left: BodyFile, right: BodyFile) -> Bool {
        left.name == right.name
    }
}
