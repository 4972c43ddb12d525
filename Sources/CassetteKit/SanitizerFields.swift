import HTTPCore

extension SanitizerPass {
    /// The fields with their secrets replaced.
    mutating func fields(_ fields: Fields, part: SecretLocation.Part = .header) -> Fields {
        var result = fields
        for index in 0..<fields.count {
            let name = Array(fields.name(at: index))
            let value = Array(fields.value(at: index))
            guard !value.isEmpty else { continue }
            let edits = value.withUnsafeBufferPointer { field(name, $0, part) }
            let place = location(part, Self.lowercased(name))
            let clean = gate(SanitizerEdit.apply(edits, to: value), name: name, place)
            if clean != value { result.replaceValue(at: index, with: clean) }
        }
        return result
    }

    private mutating func field(
        _ name: [UInt8], _ value: Octets, _ part: SecretLocation.Part
    ) -> [SanitizerEdit] {
        let range = 0..<value.count
        let place = location(part, Self.lowercased(name))
        let placeholderName = SecretPlaceholder.name(Self.lowercased(name))
        if let rule = tables.credentials.rule(name) {
            return credentials(value, range, rule: rule, name: placeholderName, at: place)
        }
        if let rule = tables.cookies {
            switch place.name {
            case "cookie", "cookie2": return cookies(value, range, rule: rule)
            case "set-cookie", "set-cookie2": return setCookie(value, range, rule: rule)
            default: break
            }
        }
        var rule = local.items[place]
        if rule == nil, let found = tables.names.rule(name), let names = tables.secretNames(found),
            names.parts.contains(.fields), isSecret(value, range, names.condition)
        {
            rule = found
        }
        if let rule { return credentials(value, range, rule: rule, name: placeholderName, at: place) }
        if rule == nil, let kept = tables.keptHeaders, !kept.names.contains(place.name) {
            let hidden = hide(value, range, rule: kept.rule, name: placeholderName, at: place)
            return hidden.map { [SanitizerEdit(range: range, replacement: $0, rule: kept.rule)] } ?? []
        }
        let edits = text(value, range, place)
        note(edits, fill: range, place)
        return edits
    }

    private static func lowercased(_ name: [UInt8]) -> [UInt8] {
        name.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    }
}
