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
        let start = Self.start(octets, range)
        guard start < range.upperBound else { return [] }
        let outer = place.part == .text ? location(.json) : place
        switch octets[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
            isTooDeep = false
            if let edits = json(octets, start..<range.upperBound, outer, depth: 0) { return edits }
            if isTooDeep { gaveUp = true }
        default: break
        }
        if let edits = jsonLines(octets, start..<range.upperBound, outer, type) { return edits }
        if let type, type.isForm { return items(octets, range, .form) }
        if let type, type.isMultipart, depth < Self.multipartDepth, let boundary = type.parameter("boundary"),
            let edits = multipart(octets, range, boundary: boundary, depth: depth)
        {
            return edits
        }
        // Rules for places in JSON can't be kept where there is none to be read.
        if type?.isJSON == true, tables.keptJSON != nil || !local.pointers.isEmpty { gaveUp = true }
        return text(octets, range, place)
    }

    /// Behind white space and the line that some servers put before JSON so that no script can load it.
    private static func start(_ octets: Octets, _ range: Range<Int>) -> Int {
        var at = range.lowerBound
        if octets[range].starts(with: ")]}'".utf8) {
            while at < range.upperBound, octets[at] != 0x0A { at += 1 }
        }
        while at < range.upperBound,
            octets[at] == 0x20 || octets[at] == 0x09 || octets[at] == 0x0A || octets[at] == 0x0D
        {
            at += 1
        }
        return at
    }

    /// The edits for lines of JSON, and for an event stream whose data are JSON; nil if the text is neither.
    private mutating func jsonLines(
        _ octets: Octets, _ range: Range<Int>, _ outer: SecretLocation, _ type: MediaType?
    ) -> [SanitizerEdit]? {
        let isStream = type?.subtype == "event-stream"
        guard isStream || octets[range.lowerBound] == UInt8(ascii: "{") else { return nil }
        let saved = findings
        var edits: [SanitizerEdit] = []
        for line in octets[range].split(separator: 0x0A) {
            var inner = line.startIndex..<line.endIndex
            if isStream, line.starts(with: "data:".utf8) { inner = inner.dropFirst(5) }
            while let first = octets[inner].first, first <= 0x20 { inner = inner.dropFirst() }
            if inner.isEmpty { continue }
            let isJSON = octets[inner.lowerBound] == UInt8(ascii: "{") || octets[inner.lowerBound] == UInt8(ascii: "[")
            if isJSON, let found = json(octets, inner, outer, depth: 0) {
                edits += found
            } else if isStream {
                edits += text(octets, line.startIndex..<line.endIndex, location(.text))
            } else {
                forget(since: saved)
                return nil
            }
        }
        return edits
    }
}
