import HTTPCore

/// Digests of interactions that leave out what is volatile, so that a digest that stays says: nothing changed.
struct StableDigest: Sendable {
    private let fields: Set<String>
    private let queryItems: [Bytes]
    private let pointers: [[Bytes]]

    init(rules: VolatileRules) {
        fields = Set(rules.fields)
        queryItems = rules.queryItems.map { Bytes("\($0)=".utf8) }
        pointers = rules.pointers.map(JSONPointer.components)
    }

    /// The SHA-256 of what is not volatile in request and answer. Names, notes, rules and repeats take no part.
    ///
    /// - Parameter besides: The octets of bodies' files that are not written yet, by name.
    /// - Throws: `FormatError` if a body's file can't be read.
    func of(_ interaction: Interaction, besides: [String: Bytes] = [:]) throws(FormatError) -> [UInt8] {
        var stable = Interaction(name: "", request: interaction.request, outcome: interaction.outcome)
        stable.request.unknown = []
        stable.request.fields = masked(stable.request.fields)
        stable.request.body = try stable.request.body.map { body throws(FormatError) in try masked(body, besides) }
        switch stable.outcome {
        case .response(var response):
            response.unknown = []
            response.fields = masked(response.fields)
            response.trailers = masked(response.trailers)
            for index in response.informational.indices {
                response.informational[index].fields = masked(response.informational[index].fields)
            }
            response.body = try response.body.map { body throws(FormatError) in try masked(body, besides) }
            stable.outcome = .response(response)
        case .error(var error):
            error.unknown = []
            error.message = ""
            stable.outcome = .error(error)
        }
        return SHA256.digest(withoutVolatileRuns(InteractionFormat.write(stable)))
    }

    private func masked(_ fields: Fields) -> Fields {
        var result = fields
        for index in 0..<fields.count {
            let name = String(decoding: fields.name(at: index), as: UTF8.self).lowercased()
            if self.fields.contains(name) {
                result.replaceValue(at: index, with: CollectionOfOne(UInt8(ascii: "*")))
            } else if name == "set-cookie", let value = Self.withoutExpires(fields.value(at: index)) {
                result.replaceValue(at: index, with: value)
            }
        }
        return result
    }

    /// A cookie without the moment at which it expires (RFC 6265 §5.2.1); nil if it names none.
    private static func withoutExpires(_ cookie: ArraySlice<UInt8>) -> Bytes? {
        let parts = cookie.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let kept = parts.filter { part in
            let name = part.drop { $0 == 0x20 }.prefix { $0 != UInt8(ascii: "=") }
            return !name.map { $0 | 0x20 }.elementsEqual("expires".utf8)
        }
        return kept.count == parts.count ? nil : Bytes(kept.joined(separator: CollectionOfOne(UInt8(ascii: ";"))))
    }

    private func masked(_ body: RecordedBody, _ besides: [String: Bytes]) throws(FormatError) -> RecordedBody {
        var result = body
        result.unknown = []
        switch body.content {
        case .file(let file):
            // The name begins with the interaction's own; what counts is what the file holds.
            let octets: Bytes
            if let unwritten = besides[file.name] { octets = unwritten } else { octets = try file.read() }
            let digest = SHA256.digest(octets)
            result.content = .file(BodyFile(name: Names.hex(digest), folder: ""))
        case .json(let value, let layout) where !pointers.isEmpty:
            result.content = .json(pointers.reduce(value) { Self.masked($0, at: $1[...]) }, layout)
        case .json, .text, .base64: break
        }
        return result
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

    /// The octets without the names of placeholders and without the values of volatile query items.
    private func withoutVolatileRuns(_ octets: Bytes) -> Bytes {
        var result = Bytes()
        result.reserveCapacity(octets.count)
        var at = 0
        while at < octets.count {
            let octet = octets[at]
            result.append(octet)
            at += 1
            if octet == UInt8(ascii: "R"), matches(SecretPlaceholder.prefix, octets, at - 1) {
                at += SecretPlaceholder.prefix.count - 1
                while at < octets.count, SecretPlaceholder.isNameOctet(octets[at]) { at += 1 }
            } else if octet == UInt8(ascii: "?") || octet == UInt8(ascii: "&") {
                guard let item = queryItems.first(where: { matches($0, octets, at) }) else { continue }
                result += item
                at += item.count
                while at < octets.count, !Self.endsItem(octets[at]) { at += 1 }
            }
        }
        return result
    }

    private func matches(_ text: Bytes, _ octets: Bytes, _ at: Int) -> Bool {
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
