/// What stands in a secret's place: `REDACTED-` and a name of letters, digits, `_`, `.`, `-`, which needs no escape in a
/// field, cookie, URL, form, or JSON string.
///
/// Where the secret has a shape that clients look at, the placeholder has it too: a JWT's claims hold the name, a UUID is
/// made from it, and an e-mail address has it before `@example.invalid`.
enum SecretPlaceholder {
    static let prefix: [UInt8] = Array("REDACTED-".utf8)
    /// What stands in a match key for a secret that no rule names; one that a rule names has the rule's id behind `prefix`.
    static let unnamed: [UInt8] = Array("REDACTED-secret".utf8)
    /// What stands for a body that was replaced whole.
    static let body: [UInt8] = Array("REDACTED-body".utf8)

    /// How every UUID begins that stands for another one.
    static let uuidPrefix: [UInt8] = Array("edac7ed0-0000-4000-8000-".utf8)
    /// A head that says that nothing is signed (RFC 7519 §6.1).
    private static let jwtHead = Base64.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8), isURL: true, pads: false)
    /// Claims begin so, and never expire in practice: `exp` is the year 2100.
    private static let jwtClaims = Array(#"{"exp":4102444800,"jti":"REDACTED-"#.utf8)
    /// How every JWT begins that stands for another one. 33 octets of the claims are whole groups of Base64.
    static let jwtPrefix: [UInt8] =
        jwtHead + [UInt8(ascii: ".")] + Base64.encode(Array(jwtClaims.prefix(33)), isURL: true, pads: false)
    private static let mailSuffix: [UInt8] = Array("@example.invalid".utf8)

    static func text(_ name: String) -> String { "REDACTED-" + name }

    /// The placeholder of this name for a value, in the value's shape.
    static func shaped(_ name: String, like value: [UInt8]) -> [UInt8] {
        value.withUnsafeBufferPointer { octets in
            let range = 0..<octets.count
            if SecretShape.isUUID(octets, range) {
                let digest = Names.hex(SHA256.digest(Array(name.utf8)).prefix(6))
                return uuidPrefix + Array(digest.utf8)
            }
            if let match = octets.isEmpty ? nil : SecretShape.match(octets, 0, octets.count), match.shape == .jwt,
                match.end == octets.count
            {
                let claims = jwtClaims + Array("\(name)\"}".utf8)
                let dot = UInt8(ascii: ".")
                return jwtHead + [dot] + Base64.encode(claims, isURL: true, pads: false) + [dot]
            }
            let mark = Array(text(name).utf8)
            guard let sign = octets.firstIndex(of: UInt8(ascii: "@")),
                SecretPattern.email(octets, at: sign, range, after: 0) == range
            else { return mark }
            return mark + mailSuffix
        }
    }

    /// Octets with placeholders cut to what they stand for: what names an interaction must not hold another one's name, which may
    /// be its own.
    static func shortened(_ octets: [UInt8]) -> [UInt8] {
        octets.withUnsafeBufferPointer { source in
            var short: [UInt8] = []
            var at = 0
            while at < source.count {
                guard isStart(source[at]), begins(source, at..<source.count) else {
                    short.append(source[at])
                    at += 1
                    continue
                }
                let end = end(source, at, source.count)
                if source[at] == UInt8(ascii: "R") {
                    short += source[at..<end].prefix { $0 != UInt8(ascii: ".") }
                } else {
                    short += prefix + (source[at] == UInt8(ascii: "9") ? "number" : "secret").utf8
                }
                at = end
            }
            return short
        }
    }

    /// A place's name with the octets that a placeholder may have, 48 at most.
    static func name(_ octets: some Sequence<UInt8>) -> String {
        let kept = octets.lazy.filter { isNameOctet($0) && $0 != UInt8(ascii: ".") }.prefix(48)
        let name = String(decoding: Array(kept), as: UTF8.self)
        return name.isEmpty ? "secret" : name
    }

    @inline(__always)
    static func isNameOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// Whether a placeholder can begin with this octet.
    @inline(__always)
    static func isStart(_ octet: UInt8) -> Bool {
        octet == UInt8(ascii: "R") || octet == UInt8(ascii: "e") || octet == UInt8(ascii: "9")
    }

    /// The end of the placeholder that begins at `start`.
    static func end(_ octets: UnsafeBufferPointer<UInt8>, _ start: Int, _ limit: Int) -> Int {
        var at = start
        while at < limit, isNameOctet(octets[at]) { at += 1 }
        return has(mailSuffix, octets, at..<limit) ? at + mailSuffix.count : at
    }

    /// What stands behind the last placeholder in the range: the whole range if there is none.
    static func tail(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var at = range.lowerBound
        var start = at
        while at < range.upperBound {
            guard isStart(octets[at]), begins(octets, at..<range.upperBound) else {
                at += 1
                continue
            }
            at = end(octets, at, range.upperBound)
            start = at
        }
        return start..<range.upperBound
    }

    /// Whether a placeholder stands somewhere in the range.
    static func isIn(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        tail(octets, range).lowerBound > range.lowerBound
    }

    static func begins(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count >= prefix.count else { return false }
        switch octets[range.lowerBound] {
        case UInt8(ascii: "R"): return has(prefix, octets, range)
        case UInt8(ascii: "e"): return has(uuidPrefix, octets, range) || has(jwtPrefix, octets, range)
        case UInt8(ascii: "9"): return beginsWithNumber(octets, range)
        default: return false
        }
    }

    static func begins(_ octets: [UInt8]) -> Bool {
        octets.withUnsafeBufferPointer { begins($0, 0..<$0.count) }
    }

    private static func has(_ text: [UInt8], _ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count >= text.count else { return false }
        for offset in text.indices where octets[range.lowerBound + offset] != text[offset] { return false }
        return true
    }
}

extension SecretPlaceholder {
    /// A text without the names of its placeholders, which say where a secret was found first.
    static func nameless(_ text: String) -> String {
        let mark = "REDACTED-"
        guard text.contains(mark) else { return text }
        var out = ""
        var rest = text[...]
        while let range = rest.firstRange(of: mark) {
            out += rest[..<range.upperBound]
            rest = rest[range.upperBound...].drop { $0.utf8.allSatisfy(isNameOctet) }
        }
        return out + rest
    }
}
