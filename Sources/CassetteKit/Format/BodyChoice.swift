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
}
