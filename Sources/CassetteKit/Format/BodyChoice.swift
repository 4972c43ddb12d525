package import HTTPCore

/// A body as it is to be stored, and the octets of the file beside, where it needs one.
package struct ChosenBody: Sendable, Equatable {
    package var body: RecordedBody
    /// The octets of `body`'s file; nil where the body stands in the interaction.
    package var beside: Bytes?
}

/// Chooses the form in which a body is stored, from its octets alone.
package enum BodyChoice {
    /// The size above which every body lies beside, in octets.
    static let inlineLimit = 256 << 10
    /// The size up to which binary octets stand in the interaction, in octets.
    static let base64Limit = 1 << 10

    /// Takes the content coding off a body.
    ///
    /// - Parameter fields: Those of the message; Content-Encoding counts if it names exactly one coding.
    /// - Returns: The decoded octets and the coding, or the octets as they are and nil where there is no coding or they
    ///   are not exactly one well-formed stream of it.
    package static func decode(
        _ octets: Bytes, fields: Fields, codecs: ContentCodecs
    ) -> (octets: Bytes, coding: String?) {
        let lines = fields.all("Content-Encoding")
        guard !octets.isEmpty, lines.count == 1, let coding = token(lines[0]), coding != "identity",
            let decoded = codecs.decode(coding, octets)
        else { return (octets, nil) }
        return (decoded, coding)
    }

    /// Chooses the form of decoded octets; nil for a body that is empty on the wire.
    ///
    /// - Parameters:
    ///   - interaction: The interaction's file name, with which the name of a file beside begins.
    ///   - folder: The folder of the interactions.
    package static func choose(
        _ octets: Bytes, coding: String?, fields: Fields, interaction: String, folder: String
    ) -> ChosenBody? {
        if octets.isEmpty, coding == nil { return nil }
        let isText = isPlainText(octets)
        if octets.count > inlineLimit || (!isText && octets.count > base64Limit) {
            let ending = FileExtension.of(octets, isText: isText, mediaType: fields.first("Content-Type"))
            let name = Names.body(of: interaction, octets: octets, fileExtension: ending)
            let file = BodyFile(name: name, folder: folder)
            return ChosenBody(body: RecordedBody(.file(file), coding: coding), beside: octets)
        }
        guard isText else { return ChosenBody(body: RecordedBody(.base64(octets), coding: coding)) }
        if let value = try? JSONText.parse(octets), let layout = JSONLayout.of(octets, value: value) {
            return ChosenBody(body: RecordedBody(.json(value, layout), coding: coding))
        }
        return ChosenBody(body: RecordedBody(.text(octets), coding: coding))
    }

    /// Whether octets are UTF-8 without control characters but tab, line feed and carriage return.
    static func isPlainText(_ octets: Bytes) -> Bool {
        octets.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D } && isUTF8(octets)
    }

    /// A lone token in lower case; nil for a list and for anything that is no plain word.
    private static func token(_ value: ArraySlice<UInt8>) -> String? {
        guard !value.isEmpty, value.count <= 32 else { return nil }
        let isWord = value.allSatisfy {
            ($0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z"))
                || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) || $0 == UInt8(ascii: "-")
        }
        return isWord ? String(decoding: value, as: UTF8.self).lowercased() : nil
    }
}
