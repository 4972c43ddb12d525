import HTTPCore

/// The parts of a multipart body (RFC 2046 §5.1), as ranges of its octets.
struct MultipartBody {
    struct Part {
        /// From the delimiter before the part to the next one.
        var whole: Range<Int>
        /// The part's fields, without the empty line.
        var head: Range<Int>
        var content: Range<Int>
    }

    var parts: [Part] = []

    /// nil if the octets are no multipart body with this boundary. One that ends before its closing delimiter is taken as far as
    /// it goes.
    init?(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, boundary: String) {
        let delimiter = Array("--\(boundary)".utf8)
        guard !boundary.isEmpty, boundary.utf8.count <= 200 else { return nil }
        var start: (delimiter: Int, head: Int)?
        var isClosed = false
        var line = range.lowerBound
        while line < range.upperBound, !isClosed {
            var end = line
            while end < range.upperBound, octets[end] != 0x0A { end += 1 }
            if Self.begins(octets, line..<end, delimiter) {
                if let start { append(octets, start, line) }
                let after = line + delimiter.count
                isClosed =
                    after + 1 < end + 1 && after + 2 <= range.upperBound
                    && octets[after] == UInt8(ascii: "-") && octets[after + 1] == UInt8(ascii: "-")
                start = (line, min(end + 1, range.upperBound))
            }
            line = end + 1
        }
        guard !isClosed else { return }
        guard let start else { return nil }
        append(octets, start, range.upperBound)
    }

    /// The boundary that the octets themselves begin with; nil if they begin with none.
    static func ownBoundary(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> String? {
        let line = octets[range].prefix { $0 != 0x0A && $0 != 0x0D }
        guard line.count > 2, line.starts(with: "--".utf8) else { return nil }
        return String(decoding: line.dropFirst(2), as: UTF8.self)
    }

    /// Takes what stands between two delimiters; the line end before a delimiter belongs to it.
    private mutating func append(
        _ octets: UnsafeBufferPointer<UInt8>, _ from: (delimiter: Int, head: Int), _ delimiter: Int
    ) {
        let whole = from.delimiter..<delimiter
        let start = from.head
        var end = max(delimiter, start)
        if end > start, octets[end - 1] == 0x0A { end -= 1 }
        if end > start, octets[end - 1] == 0x0D { end -= 1 }
        var line = start
        while line < end {
            var next = line
            while next < end, octets[next] != 0x0A { next += 1 }
            let isEmpty = next == line || next == line + 1 && octets[line] == 0x0D
            if isEmpty {
                parts.append(Part(whole: whole, head: start..<line, content: min(next + 1, end)..<end))
                return
            }
            line = next + 1
        }
        parts.append(Part(whole: whole, head: start..<end, content: end..<end))
    }

    private static func begins(
        _ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ text: [UInt8]
    ) -> Bool {
        guard range.count >= text.count else { return false }
        for offset in text.indices where octets[range.lowerBound + offset] != text[offset] { return false }
        return true
    }

    /// The part's fields; lines that are none are left out.
    static func fields(_ octets: UnsafeBufferPointer<UInt8>, _ head: Range<Int>) -> Fields {
        var fields = Fields()
        for line in octets[head].split(separator: 0x0A) {
            let text = line.last == 0x0D ? line.dropLast() : line
            guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex else { continue }
            var value = text[(colon + 1)...]
            while let first = value.first, first == 0x20 || first == 0x09 { value = value.dropFirst() }
            fields.append(name: text[..<colon], value: value)
        }
        return fields
    }

    /// The `name` parameter of Content-Disposition (RFC 7578 §4.2).
    static func name(_ fields: Fields) -> [UInt8] {
        guard let value = fields.first("Content-Disposition"),
            let disposition = MediaType.parse(Array("form/".utf8) + value)
        else { return [] }
        return Array((disposition.parameter("name") ?? "").utf8)
    }
}

extension SanitizerPass {
    /// The edits for a multipart body; nil if it is none.
    mutating func multipart(
        _ octets: Octets, _ range: Range<Int>, boundary: String, depth: Int
    ) -> [SanitizerEdit]? {
        let own = MultipartBody.ownBoundary(octets, range)
        guard
            let body = MultipartBody(octets, range, boundary: boundary)
                ?? own.flatMap({ MultipartBody(octets, range, boundary: $0) })
        else { return nil }
        var edits: [SanitizerEdit] = []
        var at = range.lowerBound
        for part in body.parts {
            // What stands between parts, before the first and behind the last, is looked at too.
            edits += text(octets, at..<part.head.lowerBound, location(.text))
            at = part.content.upperBound
            edits += self.part(octets, part, depth)
        }
        edits += text(octets, at..<range.upperBound, location(.text))
        return SanitizerEdit.ordered(edits)
    }

    private mutating func part(_ octets: Octets, _ part: MultipartBody.Part, _ depth: Int) -> [SanitizerEdit] {
        let fields = MultipartBody.fields(octets, part.head)
        let name = MultipartBody.name(fields)
        let place = location(.multipart, name)
        let word = SecretPlaceholder.name(name)
        let rule = local.items[place] ?? rule(name, octets, part.content)
        if let rule, takesOut(octets, part.content, rule: rule, name: word, at: place) {
            return [SanitizerEdit(range: part.whole, replacement: [], rule: rule)]
        }
        let inHead = head(octets, part.head, place)
        guard !part.content.isEmpty else { return inHead }
        if let rule {
            let hidden = hide(octets, part.content, rule: rule, name: word, at: place)
            return inHead + (hidden.map { [SanitizerEdit(range: part.content, replacement: $0, rule: rule)] } ?? [])
        }
        if let edit = whole(octets, part.content, SanitizerNames.folded(name), place) { return inHead + [edit] }
        let type = fields.first("Content-Type").flatMap { MediaType.parse($0) }
        let inner = content(octets, part.content, type, place, depth: depth + 1)
        note(inner, fill: part.content, place)
        return inHead + inner
    }

    /// The edits for a part's fields, each by its name, as those of a message.
    private mutating func head(_ octets: Octets, _ range: Range<Int>, _ place: SecretLocation) -> [SanitizerEdit] {
        var edits: [SanitizerEdit] = []
        for line in octets[range].split(separator: 0x0A) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
                edits += text(octets, line.startIndex..<line.endIndex, place)
                continue
            }
            var value = (colon + 1)..<line.endIndex
            while let first = octets[value].first, first == 0x20 || first == 0x09 { value = value.dropFirst() }
            while let last = octets[value].last, last == 0x0D || last == 0x20 { value = value.dropLast() }
            let name = Array(line[..<colon])
            guard let rule = tables.credentials.rule(name) ?? tables.names.fields.rule(name),
                isSecret(octets, value, tables.secretNames(rule)?.condition ?? .any)
            else {
                edits += text(octets, line.startIndex..<line.endIndex, place)
                continue
            }
            edits += credentials(octets, value, rule: rule, name: SecretPlaceholder.name(name), at: place)
        }
        return edits
    }

    private func rule(_ name: [UInt8], _ octets: Octets, _ range: Range<Int>) -> Int? {
        guard let rule = tables.names.form.rule(name), let names = tables.secretNames(rule), names.condition != .oauth,
            isSecret(octets, range, names.condition)
        else { return nil }
        return rule
    }
}
