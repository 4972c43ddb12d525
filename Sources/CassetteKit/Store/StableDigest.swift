import HTTPCore

/// Digests of interactions that leave out what is volatile, so that a digest that stays says: nothing changed.
struct StableDigest: Sendable {
    /// 128 bits that hold within this process only: keyed at random, so that nobody can make two contents meet.
    struct Value: Sendable, Hashable {
        private let high: Int
        private let low: Int

        init(_ octets: Bytes) {
            var first = Hasher()
            first.combine(0)
            var second = Hasher()
            second.combine(1)
            octets.withUnsafeBytes { bytes in
                first.combine(bytes: bytes)
                second.combine(bytes: bytes)
            }
            high = first.finalize()
            low = second.finalize()
        }
    }

    private let fields: Set<Bytes>
    private let queryItems: [Bytes]
    private let pointers: [[Bytes]]

    init(rules: VolatileRules) {
        fields = Set(rules.fields.map { Bytes($0.utf8) })
        queryItems = rules.queryItems.map { Bytes("\($0)=".utf8) }
        pointers = rules.pointers.map(JSONPointer.components)
    }

    /// The digest of what is not volatile in request and answer. Names, notes, rules and repeats take no part.
    ///
    /// - Parameter traits: what holds for the request; nil takes all of it.
    func of(_ content: StableContent, _ traits: RecordedTraits? = nil) -> Value {
        var text = StableText(queryItems: queryItems)
        if let after = content.after { text.add("after \(after)".utf8) }
        add(request: content, traits, to: &text)
        switch content.outcome {
        case .error(let status, let label): text.add("error \(status) \(label)".utf8)
        case .answer(let answer): add(traits?.substitution.map { answer.adapted($0) } ?? answer, to: &text)
        }
        return Value(text.octets)
    }

    private func add(request content: StableContent, _ traits: RecordedTraits?, to text: inout StableText) {
        text.add(content.method.utf8)
        text.add("\(content.scheme)://\(content.authority.text)".utf8)
        text.add(traits?.countedTarget ?? content.target)
        add(content.fields, to: &text)
        var body = content.body
        if let traits, let octets = body?.octets {
            let counted = traits.counted(octets, content.fields)
            body?.octets = counted ?? []
            if counted == nil { body?.coding = nil }
        }
        add(body, to: &text)
        add(content.trailers, to: &text)
    }

    private func add(_ answer: StableContent.Answer, to text: inout StableText) {
        text.add("\(answer.status) \(answer.framing.rawValue)".utf8)
        text.add(answer.reason)
        add(answer.fields, to: &text)
        add(answer.body, to: &text)
        add(answer.trailers, to: &text)
        for head in answer.informational {
            text.add("\(head.status)".utf8)
            text.add(head.reason)
            add(head.fields, to: &text)
        }
    }

    private func add(_ fields: Fields, to text: inout StableText) {
        text.add("\(fields.count)".utf8)
        for index in 0..<fields.count {
            let name = fields.name(at: index)
            text.add(name)
            let lower = name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
            if self.fields.contains(lower) {
                text.add(CollectionOfOne(UInt8(ascii: "*")))
            } else if lower.elementsEqual("set-cookie".utf8) {
                text.add(Self.withoutExpires(fields.value(at: index)))
            } else {
                text.add(fields.value(at: index))
            }
        }
    }

    private func add(_ body: StableContent.Body?, to text: inout StableText) {
        guard let body else { return text.add("no body".utf8) }
        text.add("body \(body.coding ?? "")".utf8)
        if !pointers.isEmpty, let value = try? JSONText.parse(body.octets) {
            text.add(JSONText.write(pointers.reduce(value) { Self.masked($0, at: $1[...]) }, layout: .compact))
        } else {
            text.add(body.octets)
        }
    }

    /// A cookie without the moment at which it expires (RFC 6265 §5.2.1).
    private static func withoutExpires(_ cookie: ArraySlice<UInt8>) -> Bytes {
        let parts = cookie.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let kept = parts.filter { part in
            let name = part.drop { $0 == 0x20 }.prefix { $0 != UInt8(ascii: "=") }
            return !name.map { $0 | 0x20 }.elementsEqual("expires".utf8)
        }
        return Bytes(kept.joined(separator: CollectionOfOne(UInt8(ascii: ";"))))
    }

    private static func masked(_ value: JSONValue, at pointer: ArraySlice<Bytes>) -> JSONValue {
        guard let step = pointer.first else { return .null }
        let isAny = step == [UInt8(ascii: "*")]
        let rest = pointer.dropFirst()
        switch value {
        case .object(let members):
            return .object(
                members.map { member in
                    guard isAny || member.key.octets == step else { return member }
                    return JSONMember(key: member.key, value: masked(member.value, at: rest))
                })
        case .array(let elements):
            return .array(
                elements.indices.map { index in
                    isAny || String(index).utf8.elementsEqual(step)
                        ? masked(elements[index], at: rest) : elements[index]
                })
        default: return value
        }
    }
}

/// Octets from which the names of placeholders and the values of volatile query items are left out.
private struct StableText {
    private(set) var octets = Bytes()
    private let queryItems: [Bytes]

    init(queryItems: [Bytes]) {
        self.queryItems = queryItems
        octets.reserveCapacity(2_048)
    }

    /// Adds a part; a mark that UTF-8 text can't have keeps parts apart.
    mutating func add(_ part: some Collection<UInt8>) {
        let copied: Void? = part.withContiguousStorageIfAvailable { addStable($0) }
        if copied == nil { Bytes(part).withUnsafeBufferPointer { addStable($0) } }
        octets.append(0xFF)
    }

    private mutating func addStable(_ part: UnsafeBufferPointer<UInt8>) {
        var start = 0
        var at = 0
        while at < part.count {
            let octet = part[at]
            at += 1
            var end = at
            if SecretPlaceholder.isStart(octet), SecretPlaceholder.begins(part, (at - 1)..<part.count) {
                // The first octet tells what it looks like: text, a token of claims or a UUID, a number.
                at = Self.end(of: octet, part, at - 1)
                octets.append(contentsOf: part[start..<end])
                octets.append(0xFE)
                start = at
                continue
            } else if octet == UInt8(ascii: "?") || octet == UInt8(ascii: "&") {
                guard let item = queryItems.first(where: { matches($0, part, at) }) else { continue }
                at += item.count
                end = at
                while at < part.count, !Self.endsItem(part[at]) { at += 1 }
            } else {
                continue
            }
            octets.append(contentsOf: part[start..<end])
            start = at
        }
        octets.append(contentsOf: part[start...])
    }

    /// The end of the placeholder at `start`: of a number and a UUID it goes by their length.
    private static func end(of first: UInt8, _ part: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
        if first == UInt8(ascii: "9") { return start + SecretPlaceholder.numberLength }
        let isUUID = first == UInt8(ascii: "e") && part[start + 1] == UInt8(ascii: "d")
        if isUUID { return min(part.count, start + 36) }
        var at = start
        while at < part.count, SecretPlaceholder.isNameOctet(part[at]) { at += 1 }
        return at
    }

    private func matches(_ text: Bytes, _ octets: UnsafeBufferPointer<UInt8>, _ at: Int) -> Bool {
        guard at + text.count <= octets.count else { return false }
        for index in text.indices where octets[at + index] != text[index] { return false }
        return true
    }

    private static func endsItem(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "#"), UInt8(ascii: "'"), 0x00...0x20:
            true
        default: false
        }
    }
}
