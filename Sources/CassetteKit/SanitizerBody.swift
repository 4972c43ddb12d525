import HTTPCore

extension SanitizerPass {
    /// Parts within parts are looked into this deep.
    private static let multipartDepth = 3

    /// A decoded body with its secrets replaced.
    ///
    /// When in doubt, because searching took too long, the whole body is replaced.
    mutating func body(_ body: [UInt8], _ type: MediaType?) -> [UInt8] {
        guard !body.isEmpty else { return body }
        guard let wide = UTF16Text(body, type) else { return plain(body, type) }
        let clean = plain(wide.utf8, type)
        return clean == wide.utf8 ? body : gaveUp ? clean : wide.encoded(clean)
    }

    private mutating func plain(_ body: [UInt8], _ type: MediaType?) -> [UInt8] {
        let edits = body.withUnsafeBufferPointer { content($0, 0..<$0.count, type, location(.text), depth: 0) }
        guard !gaveUp else {
            count(tables.trackedRule, location(.text))
            return isKey ? SecretPlaceholder.unnamed : SecretPlaceholder.body
        }
        return gate(SanitizerEdit.apply(edits, to: body), location(.text))
    }

    /// The edits for a body or a part. What the octets are decides, not what the type claims, but for forms and multipart,
    /// which don't show what they are.
    mutating func content(
        _ octets: Octets, _ range: Range<Int>, _ type: MediaType?, _ place: SecretLocation, depth: Int
    ) -> [SanitizerEdit] {
        var at = range.lowerBound
        while at < range.upperBound,
            octets[at] == 0x20 || octets[at] == 0x09 || octets[at] == 0x0A || octets[at] == 0x0D
        {
            at += 1
        }
        guard at < range.upperBound else { return [] }
        if octets[at] == UInt8(ascii: "{") || octets[at] == UInt8(ascii: "[") || octets[at] == UInt8(ascii: "\"") {
            let outer = place.part == .text ? location(.json) : place
            if let edits = json(octets, range, outer, depth: 0) { return edits }
        }
        if let type, type.isForm { return items(octets, range, .form) }
        if let type, type.isMultipart, depth < Self.multipartDepth, let boundary = type.parameter("boundary"),
            let edits = multipart(octets, range, boundary: boundary, depth: depth)
        {
            return edits
        }
        return text(octets, range, place)
    }
}
