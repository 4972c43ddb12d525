import HTTPCore

/// Digests of a body, which must follow it where it was changed: an old one is wrong, and tells a short secret to whoever tries
/// all that it may have been.
extension SanitizerPass {
    /// The fields with digests put right where SHA-256 is enough, taken out where it is not, and an ETag hidden that may be one.
    ///
    /// - Parameter body: as it is sent, with its coding.
    mutating func digests(_ fields: Fields, part: SecretLocation.Part = .header, of body: @autoclosure () -> [UInt8])
        -> Fields
    {
        guard let rule = tables.digests else { return fields }
        var result = fields
        var gone: Set<Int> = []
        var hash: [UInt8]?
        for index in 0..<fields.count {
            let name = String(decoding: fields.name(at: index), as: UTF8.self).lowercased()
            guard let kind = Self.digestFields[name] else { continue }
            let value = Array(fields.value(at: index))
            let place = location(part, name)
            if kind == .tag {
                guard let hidden = hiddenTag(value, rule, place) else { continue }
                result.replaceValue(at: index, with: hidden)
                continue
            }
            let digest = hash ?? SHA256.digest(body())
            hash = digest
            let right = kind.text(value, digest)
            guard right != value else { continue }
            count(rule, place)
            if let right { result.replaceValue(at: index, with: right) } else { gone.insert(index) }
        }
        return gone.isEmpty ? result : result.filtered { !gone.contains($0) }
    }

    /// An entity tag (RFC 9110 §8.8.3) that is long enough to be made from the body; nil if it stays.
    private mutating func hiddenTag(_ value: [UInt8], _ rule: Int, _ place: SecretLocation) -> [UInt8]? {
        guard let first = value.firstIndex(of: UInt8(ascii: "\"")), let last = value.lastIndex(of: UInt8(ascii: "\"")),
            last - first > SecretLedger.trackedLength
        else { return nil }
        let opaque = (first + 1)..<last
        let hidden = value.withUnsafeBufferPointer { hide($0, opaque, rule: rule, name: "etag", at: place) }
        return hidden.map { value[...first] + $0 + value[last...] }
    }

    private static let digestFields: [String: DigestField] = [
        "etag": .tag, "content-digest": .structured, "repr-digest": .structured, "digest": .list,
        "content-md5": .other, "x-goog-hash": .other, "x-ms-blob-content-md5": .other, "x-amz-checksum-crc32": .other,
        "x-amz-checksum-crc32c": .other, "x-amz-checksum-crc64nvme": .other, "x-amz-checksum-sha1": .other,
        "x-amz-checksum-sha256": .base64, "x-ms-content-sha256": .base64, "x-amz-content-sha256": .hexadecimal,
    ]
}

/// How a field spells a body's digest.
private enum DigestField {
    /// An entity tag.
    case tag
    /// `sha-256=:…:` among others (RFC 9530 §2).
    case structured
    /// `SHA-256=…` among others (RFC 3230 §4.3.2).
    case list
    /// A SHA-256 alone.
    case base64, hexadecimal
    /// By another algorithm.
    case other

    /// The field's value for a SHA-256; nil if nothing of it can be put right.
    func text(_ value: [UInt8], _ digest: [UInt8]) -> [UInt8]? {
        let encoded = Base64.encode(digest, isURL: false)
        switch self {
        case .tag: return value
        case .structured: return named(value) ? Array("sha-256=:".utf8) + encoded + [UInt8(ascii: ":")] : nil
        case .list: return named(value) ? Array("SHA-256=".utf8) + encoded : nil
        case .base64: return encoded
        // `UNSIGNED-PAYLOAD` and the like are no digests.
        case .hexadecimal: return value.count == 64 ? Array(Names.hex(digest).utf8) : value
        case .other: return nil
        }
    }

    private func named(_ value: [UInt8]) -> Bool {
        String(decoding: value, as: UTF8.self).lowercased().contains("sha-256=")
    }
}
