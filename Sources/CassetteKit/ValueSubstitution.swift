package import HTTPCore

/// Puts a request's own values where a recorded answer has those of the request that it was recorded for.
///
/// A value is taken for what it stands for only as a whole word. One of digits alone could be any number, so it counts
/// only in a URL, behind `/` or `=`, and in JSON as a whole value under a name such as `id`, `itemId` or `item`.
package struct ValueSubstitution: Sendable {
    /// A parameter of a path with both of its values, decoded.
    package struct Pair: Sendable, Hashable {
        var name: String
        var recorded: String
        var live: String

        package init(name: String, recorded: String, live: String) {
            self.name = name
            self.recorded = recorded
            self.live = live
        }
    }

    private let needles: [SubstitutionNeedle]

    /// Nil where no value differs. `{name}` as people write it in a recording by hand stands for the value too.
    package init?(_ pairs: [Pair]) {
        needles = pairs.flatMap(SubstitutionNeedle.of).sorted { $0.octets.count > $1.octets.count }
        if needles.isEmpty { return nil }
    }

    /// Fields with the live values, percent-encoded: nothing in a path can end a line.
    package func fields(_ fields: Fields) -> Fields {
        var result = fields
        for index in 0..<fields.count {
            let value = Bytes(fields.value(at: index))
            if let changed = SubstitutionText(needles, as: .field).replaced(value) {
                result.replaceValue(at: index, with: changed)
            }
        }
        return result
    }

    /// A body without content coding, with the live values spelled as its kind needs it; nil where nothing changes. Octets
    /// that are no text stay.
    package func body(_ octets: Bytes, _ type: MediaType?) -> Bytes? {
        guard !octets.isEmpty else { return nil }
        if type?.isJSON ?? true, let json = SubstitutionJSON.replaced(octets, needles) {
            return json == octets ? nil : json
        }
        guard type?.isText ?? false, BodyChoice.isPlainText(octets) else { return nil }
        let isMarkup = type.map { $0.isXML || $0.subtype == "html" || $0.subtype == "svg" } ?? false
        let form: SubstitutionNeedle.Form = isMarkup ? .markup : type?.isForm == true ? .field : .plain
        return SubstitutionText(needles, as: form).replaced(octets)
    }
}

/// A text that is looked for, and what takes its place.
struct SubstitutionNeedle: Sendable {
    /// Where a value stands, which decides how it is spelled.
    enum Form { case field, plain, markup, json }

    /// What is looked for; in JSON as it is spelled there.
    let octets: Bytes
    let isDigits: Bool
    /// The parameter's name in lower case, letters and digits only.
    let name: String
    private let live: String

    /// The spellings of a recorded value, and the parameter in braces.
    static func of(_ pair: ValueSubstitution.Pair) -> [SubstitutionNeedle] {
        guard !pair.live.isEmpty else { return [] }
        var texts = ["{\(pair.name)}"]
        if !pair.recorded.isEmpty {
            texts += [pair.recorded, String(decoding: encoded(pair.recorded), as: UTF8.self)]
        }
        var seen: Set<String> = [pair.live]
        return texts.filter { seen.insert($0).inserted }.map { SubstitutionNeedle($0, pair) }
    }

    private init(_ text: String, _ pair: ValueSubstitution.Pair) {
        octets = Bytes(JSONSpelling.spell(text).utf8)
        isDigits = text.utf8.allSatisfy { $0 &- 0x30 < 10 }
        name = Self.plain(pair.name.utf8)
        live = pair.live
    }

    /// The live value as it is spelled at a place.
    func replacement(_ form: Form, isInURL: Bool) -> Bytes {
        switch form {
        case .field: Self.encoded(live)
        case _ where isInURL: Self.encoded(live)
        case .plain: Bytes(live.utf8)
        case .json: Bytes(JSONSpelling.spell(live).utf8)
        case .markup: Bytes(live.utf8.flatMap(Self.markup))
        }
    }

    /// The live value where a JSON number stood: a number if it is one.
    var number: Bytes {
        let digits = Bytes(live.utf8)
        let isNumber = digits.allSatisfy { $0 &- 0x30 < 10 } && (digits.count == 1 || digits[0] != 0x30)
        return isNumber ? digits : [0x22] + JSONSpelling.spell(live).utf8 + [0x22]
    }

    /// Whether a JSON member of this name may well hold the parameter: its own name, that without `id`, or one that ends in
    /// `id` or `ids`.
    func mayStand(under member: some Sequence<UInt8>) -> Bool {
        let member = Self.plain(member)
        return member == name || member.hasSuffix("id") || member.hasSuffix("ids")
            || name.hasSuffix("id") && member == name.dropLast(2)
    }

    private static func plain(_ name: some Sequence<UInt8>) -> String {
        String(decoding: name.filter { Octets.isWord($0) && $0 != UInt8(ascii: "_") }, as: UTF8.self).lowercased()
    }

    /// Percent-encoded as a path segment: only unreserved characters stay (RFC 3986 §2.3).
    private static func encoded(_ text: String) -> Bytes {
        text.utf8.flatMap { octet -> Bytes in
            let isPlain = Octets.isWord(octet) && octet < 0x80 || "-.~".utf8.contains(octet)
            return isPlain ? [octet] : Bytes("%".utf8) + [Octets.hex[Int(octet >> 4)], Octets.hex[Int(octet & 15)]]
        }
    }

    private static func markup(_ octet: UInt8) -> Bytes {
        switch octet {
        case UInt8(ascii: "&"): Bytes("&amp;".utf8)
        case UInt8(ascii: "<"): Bytes("&lt;".utf8)
        case UInt8(ascii: ">"): Bytes("&gt;".utf8)
        case UInt8(ascii: "\""): Bytes("&quot;".utf8)
        default: [octet]
        }
    }

    enum Octets {
        static let hex = Bytes("0123456789ABCDEF".utf8)

        /// Letters, digits, underscore, and all beyond ASCII.
        static func isWord(_ octet: UInt8) -> Bool {
            octet &- 0x30 < 10 || (octet | 0x20) &- 0x61 < 26 || octet == UInt8(ascii: "_") || octet >= 0x80
        }
    }
}

/// Replaces needles in running text.
struct SubstitutionText {
    private let needles: [SubstitutionNeedle]
    private let form: SubstitutionNeedle.Form

    init(_ needles: [SubstitutionNeedle], as form: SubstitutionNeedle.Form) {
        self.needles = needles
        self.form = form
    }

    /// The text with the live values; nil where it has none of the recorded ones.
    func replaced(_ octets: Bytes) -> Bytes? {
        octets.withUnsafeBufferPointer { replaced($0, 0..<$0.count) }
    }

    func replaced(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bytes? {
        var out: Bytes?
        var kept = range.lowerBound
        var at = range.lowerBound
        while at < range.upperBound {
            guard let needle = needles.first(where: { stands($0, octets, at, range) }) else {
                at += 1
                continue
            }
            let isInURL = at > range.lowerBound && Self.isMark(octets[at - 1])
            out = (out ?? []) + octets[kept..<at] + needle.replacement(form, isInURL: isInURL)
            at += needle.octets.count
            kept = at
        }
        return out.map { $0 + octets[kept..<range.upperBound] }
    }

    private func stands(
        _ needle: SubstitutionNeedle, _ octets: UnsafeBufferPointer<UInt8>, _ at: Int, _ range: Range<Int>
    ) -> Bool {
        let end = at + needle.octets.count
        guard octets[at] == needle.octets[0], end <= range.upperBound else { return false }
        for index in 1..<max(1, needle.octets.count) where octets[at + index] != needle.octets[index] { return false }
        if needle.octets[0] == UInt8(ascii: "{") { return true }
        if end < range.upperBound, SubstitutionNeedle.Octets.isWord(octets[end]) { return false }
        guard at > range.lowerBound else { return !needle.isDigits }
        return needle.isDigits ? Self.isMark(octets[at - 1]) : !SubstitutionNeedle.Octets.isWord(octets[at - 1])
    }

    /// What stands before a segment of a path or an item's value.
    private static func isMark(_ octet: UInt8) -> Bool { octet == UInt8(ascii: "/") || octet == UInt8(ascii: "=") }
}

/// Replaces needles in JSON, value by value; white space, order and other spelling stay.
enum SubstitutionJSON {
    /// The text with the live values; nil if it is no JSON.
    static func replaced(_ octets: Bytes, _ needles: [SubstitutionNeedle]) -> Bytes? {
        octets.withUnsafeBufferPointer { source in
            var cursor = JSONCursor(source, 0..<source.count)
            var out = Bytes()
            out.reserveCapacity(source.count + 64)
            var kept = 0
            /// The names under which the open containers stand.
            var names: [Range<Int>] = []
            var name = 0..<0
            while true {
                var changed: Bytes?
                let token = cursor.next()
                switch token {
                case .malformed, .tooDeep: return nil
                case .end: return out + source[kept...]
                case .beginObject, .beginArray: names.append(name)
                case .endObject, .endArray: name = names.popLast() ?? 0..<0
                case .name: name = cursor.range
                case .string: changed = string(source, cursor.range, under: source[name], needles)
                case .number:
                    changed =
                        needles.first {
                            $0.octets.elementsEqual(source[cursor.range]) && $0.mayStand(under: source[name])
                        }?.number
                case .bool, .null: break
                }
                guard let changed else { continue }
                out += source[kept..<cursor.range.lowerBound] + changed
                kept = cursor.range.upperBound
            }
        }
    }

    private static func string(
        _ source: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, under name: Slice<UnsafeBufferPointer<UInt8>>,
        _ needles: [SubstitutionNeedle]
    ) -> Bytes? {
        let whole = needles.first {
            $0.octets.elementsEqual(source[range]) && (!$0.isDigits || $0.mayStand(under: name))
        }
        if let whole { return whole.replacement(.json, isInURL: false) }
        return SubstitutionText(needles, as: .json).replaced(source, range)
    }
}
