import HTTPCore

extension SanitizerPass {
    /// What becomes of a field's line.
    private enum Line {
        case edited([SanitizerEdit])
        case removed
    }

    /// The fields with their secrets replaced.
    mutating func fields(_ fields: Fields, part: SecretLocation.Part = .header) -> Fields {
        var result = fields
        var gone: Set<Int> = []
        for index in 0..<fields.count {
            let name = Array(fields.name(at: index))
            let value = Array(fields.value(at: index))
            switch value.withUnsafeBufferPointer({ line(name, $0, part) }) {
            case .removed: gone.insert(index)
            case .edited(let edits):
                guard !value.isEmpty else { continue }
                let place = location(part, Self.lowercased(name))
                let clean = gate(SanitizerEdit.apply(edits, to: value), name: name, place)
                if clean != value { result.replaceValue(at: index, with: clean) }
            }
        }
        return gone.isEmpty ? result : result.filtered { !gone.contains($0) }
    }

    private mutating func line(_ name: [UInt8], _ value: Octets, _ part: SecretLocation.Part) -> Line {
        let range = 0..<value.count
        let place = location(part, Self.lowercased(name))
        let placeholderName = SecretPlaceholder.name(Self.lowercased(name))
        if let rule = tables.credentials.rule(name) {
            if takesOut(value, range, rule: rule, name: placeholderName, at: place) { return .removed }
            return .edited(credentials(value, range, rule: rule, name: placeholderName, at: place))
        }
        if tables.cookies != nil || tables.names.hasCookies {
            switch place.name {
            case "cookie", "cookie2": return line(cookies(value, range))
            case "set-cookie", "set-cookie2": return line(setCookie(value, range))
            default: break
            }
        }
        if let rule = local.items[place] ?? named(name, value, range) {
            if takesOut(value, range, rule: rule, name: placeholderName, at: place) { return .removed }
            return .edited(credentials(value, range, rule: rule, name: placeholderName, at: place))
        }
        if let kept = tables.keptHeaders, !kept.names.contains(place.name) {
            let hidden = hide(value, range, rule: kept.rule, name: placeholderName, at: place)
            return .edited(hidden.map { [SanitizerEdit(range: range, replacement: $0, rule: kept.rule)] } ?? [])
        }
        if !tracked.wholes.isEmpty, let edit = whole(value, range, SanitizerNames.folded(name), place) {
            return .edited([edit])
        }
        let edits = text(value, range, place)
        note(edits, fill: range, place)
        return .edited(edits)
    }

    private func line(_ edits: [SanitizerEdit]?) -> Line { edits.map { .edited($0) } ?? .removed }

    private func named(_ name: [UInt8], _ value: Octets, _ range: Range<Int>) -> Int? {
        guard let rule = tables.names.fields.rule(name), let names = tables.secretNames(rule),
            isSecret(value, range, names.condition) || tables.action(rule) == .remove && names.condition == .any
        else { return nil }
        return rule
    }

    private static func lowercased(_ name: [UInt8]) -> [UInt8] {
        name.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    }
}
