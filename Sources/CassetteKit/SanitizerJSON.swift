/// JSON bodies, and JSON within strings.
extension SanitizerPass {
    /// An open container.
    private struct Frame {
        var isObject: Bool
        /// Where the present member's name stands, without quotation marks.
        var name = 0..<0
        var nameHasEscapes = false
        /// The rule for the present member's value.
        var rule: Int?
        /// The rule for everything within.
        var inherited: Int?
        /// Codes that are secret if the object turns out to have a member that goes along with one.
        var codes: [(name: Range<Int>, value: Range<Int>, rule: Int)] = []
        var hasCompanion = false
    }

    /// JSON text within strings is looked into this deep; what is deeper is hidden whole.
    private static let stringDepth = 6
    /// A pointer in a report shows this many names at most.
    private static let pointerLength = 24

    /// The edits for JSON text that fills `range`, in order; nil if it is none.
    mutating func json(
        _ octets: Octets, _ range: Range<Int>, _ outer: SecretLocation, depth: Int
    ) -> [SanitizerEdit]? {
        let saved = counts
        var cursor = JSONCursor(octets, range)
        var frames: [Frame] = []
        var edits: [SanitizerEdit] = []
        while true {
            let token = cursor.next()
            switch token {
            case .beginObject, .beginArray:
                frames.append(frame(token == .beginObject, under: frames, octets))
            case .endObject, .endArray:
                let frame = frames.removeLast()
                if frame.hasCompanion { edits += codes(frame, octets, frames, outer) }
            case .name:
                edits += name(octets, cursor, &frames[frames.count - 1], outer)
            case .string:
                edits += string(octets, cursor, &frames, outer, depth)
            case .number:
                if let edit = number(octets, cursor.range, frames, outer) { edits.append(edit) }
            case .bool, .null: break
            case .end: return SanitizerEdit.ordered(edits)
            case .malformed:
                forget(since: saved)
                return nil
            }
        }
    }

    private func frame(_ isObject: Bool, under frames: [Frame], _ octets: Octets) -> Frame {
        var frame = Frame(isObject: isObject)
        guard let parent = frames.last else { return frame }
        if let rule = pointerRule(octets, frames) ?? parent.inherited {
            frame.inherited = rule
        } else if let rule = parent.rule {
            let goesBelow = tables.secretNames(rule)?.parts.contains(.below) ?? true
            if goesBelow || !isObject { frame.inherited = rule }
        }
        return frame
    }

    /// Looks up the rule for a member, and gives the edits for secrets in its name.
    private mutating func name(
        _ octets: Octets, _ cursor: JSONCursor, _ frame: inout Frame, _ outer: SecretLocation
    ) -> [SanitizerEdit] {
        frame.name = cursor.range
        frame.nameHasEscapes = cursor.hasEscapes
        let decoded = cursor.hasEscapes ? SanitizerView(octets, cursor.range, undoing: .json).octets : nil
        let rule = decoded.map(tables.names.rule) ?? tables.names.rule(octets, cursor.range)
        frame.rule = rule.flatMap { tables.secretNames($0)?.parts.contains(.json) == true ? $0 : nil }
        if !frame.hasCompanion {
            frame.hasCompanion =
                (decoded.map(tables.companions.rule) ?? tables.companions.rule(octets, frame.name)) != nil
        }
        let range = cursor.range
        guard range.count >= 4 else { return [] }
        let edits: [SanitizerEdit]
        if let decoded {
            let view = SanitizerView(octets, cursor.range, undoing: .json)
            edits = decoded.withUnsafeBufferPointer { text($0, 0..<$0.count, outer).map(view.original) }
        } else {
            edits = text(octets, cursor.range, outer)
        }
        // Where a secret stands in the name, what is behind it counts, whether it is hidden already or not.
        let tail = SecretPlaceholder.tail(octets, (edits.last?.range.upperBound ?? range.lowerBound)..<range.upperBound)
        if tail.lowerBound > range.lowerBound {
            let rule = tables.names.rule(octets, tail)
            frame.rule = rule.flatMap { tables.secretNames($0)?.parts.contains(.json) == true ? $0 : nil }
        }
        return edits
    }

    /// The rule for a value in the innermost of `frames`.
    private func rule(_ octets: Octets, _ frames: [Frame]) -> Int? {
        guard let frame = frames.last else { return nil }
        return pointerRule(octets, frames) ?? frame.rule ?? frame.inherited ?? keptRule(octets, frames)
    }

    private mutating func string(
        _ octets: Octets, _ cursor: JSONCursor, _ frames: inout [Frame], _ outer: SecretLocation, _ depth: Int
    ) -> [SanitizerEdit] {
        let range = cursor.range
        guard !range.isEmpty else { return [] }
        guard let rule = rule(octets, frames) else {
            return free(octets, cursor, frames, outer, depth)
        }
        let condition = tables.secretNames(rule)?.condition ?? .any
        if condition == .oauth {
            frames[frames.count - 1].codes.append((frames[frames.count - 1].name, range, rule))
            return []
        }
        guard isSecret(octets, range, condition) else { return free(octets, cursor, frames, outer, depth) }
        let value = Self.withoutScheme(octets, range)
        return hide(octets, value, cursor.hasEscapes, rule, frames, outer).map { [$0] } ?? []
    }

    private mutating func hide(
        _ octets: Octets, _ range: Range<Int>, _ hasEscapes: Bool, _ rule: Int, _ frames: [Frame],
        _ outer: SecretLocation
    ) -> SanitizerEdit? {
        let name = SecretPlaceholder.name(nearestName(octets, frames))
        let place = place(octets, frames, outer)
        let placeholder: [UInt8]?
        if hasEscapes {
            let view = SanitizerView(octets, range, undoing: .json)
            placeholder = view.octets.withUnsafeBufferPointer {
                hide($0, 0..<$0.count, rule: rule, name: name, at: place)
            }
        } else {
            placeholder = hide(octets, range, rule: rule, name: name, at: place)
        }
        return placeholder.map { SanitizerEdit(range: range, replacement: $0, rule: rule) }
    }

    private mutating func codes(
        _ frame: Frame, _ octets: Octets, _ frames: [Frame], _ outer: SecretLocation
    ) -> [SanitizerEdit] {
        frame.codes.compactMap { code in
            var named = frame
            named.name = code.name
            return hide(octets, code.value, true, code.rule, frames + [named], outer)
        }
    }

    /// A number stays a number.
    private mutating func number(
        _ octets: Octets, _ range: Range<Int>, _ frames: [Frame], _ outer: SecretLocation
    ) -> SanitizerEdit? {
        let zero = UInt8(ascii: "0")
        guard range.count > 1 || octets[range.lowerBound] != zero else { return nil }
        guard let rule = rule(octets, frames) else {
            guard let card = tables.patterns[.card],
                SecretPattern.card(octets, range.lowerBound, range.upperBound) == range.upperBound
            else { return nil }
            if !isKey { count(card, place(octets, frames, outer)) }
            return SanitizerEdit(range: range, replacement: [zero], rule: card)
        }
        let names = tables.secretNames(rule)
        guard names?.condition != .oauth, names == nil || isSecret(octets, range, names?.condition ?? .any) else {
            return nil
        }
        if !isKey { count(rule, place(octets, frames, outer)) }
        return SanitizerEdit(range: range, replacement: [zero], rule: rule)
    }

    /// A string that no rule names.
    private mutating func free(
        _ octets: Octets, _ cursor: JSONCursor, _ frames: [Frame], _ outer: SecretLocation, _ depth: Int
    ) -> [SanitizerEdit] {
        let range = cursor.range
        guard range.count >= 4 else { return [] }
        let place = place(octets, frames, outer)
        let edits: [SanitizerEdit]
        if cursor.hasEscapes {
            let view = SanitizerView(octets, range, undoing: .json)
            edits = view.octets.withUnsafeBufferPointer {
                leaf($0, 0..<$0.count, place, depth: depth + 1).map(view.original)
            }
        } else {
            edits = leaf(octets, range, place, depth: depth + 1)
        }
        if outer.name.isEmpty { note(edits, fill: range, place) }
        return edits
    }

    /// A value without escapes of its own: JSON, Base64 of JSON, or text.
    mutating func leaf(
        _ octets: Octets, _ range: Range<Int>, _ place: SecretLocation, depth: Int
    ) -> [SanitizerEdit] {
        switch octets[range.lowerBound] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard depth < Self.stringDepth else {
                let placeholder = SecretPlaceholder.text("nested")
                return [SanitizerEdit(range: range, replacement: Array(placeholder.utf8), rule: tables.trackedRule)]
            }
            if let edits = json(octets, range, place, depth: depth) { return edits }
        case UInt8(ascii: "e"), UInt8(ascii: "W"):
            if depth < Self.stringDepth, let edits = base64(octets, range, place, depth) { return edits }
        default: break
        }
        return text(octets, range, place)
    }

    /// Base64 of JSON that holds secrets, written anew.
    private mutating func base64(
        _ octets: Octets, _ range: Range<Int>, _ place: SecretLocation, _ depth: Int
    ) -> [SanitizerEdit]? {
        guard range.count >= 12, let decoded = Base64.decode(octets, range),
            decoded.first == UInt8(ascii: "{") || decoded.first == UInt8(ascii: "[")
        else { return nil }
        let edits = decoded.withUnsafeBufferPointer { json($0, 0..<$0.count, place, depth: depth + 1) }
        guard let edits, !edits.isEmpty else { return nil }
        let isURL = octets[range].contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        let isPadded = octets[range.upperBound - 1] == UInt8(ascii: "=") || range.count % 4 == 0
        let encoded = Base64.encode(SanitizerEdit.apply(edits, to: decoded), isURL: isURL, pads: isPadded)
        return [SanitizerEdit(range: range, replacement: encoded, rule: edits[0].rule)]
    }

    private func pointerRule(_ octets: Octets, _ frames: [Frame]) -> Int? {
        guard !local.pointers.isEmpty else { return nil }
        for (pointer, rule) in local.pointers where pointer.count == frames.count {
            if zip(pointer, frames).allSatisfy({ matches($0, $1, octets) }) { return rule }
        }
        return nil
    }

    /// The rule that hides all but some places, unless this is one of them or below one.
    private func keptRule(_ octets: Octets, _ frames: [Frame]) -> Int? {
        guard let kept = tables.keptJSON else { return nil }
        let isKept = kept.pointers.contains { pointer in
            pointer.count <= frames.count && zip(pointer, frames).allSatisfy { matches($0, $1, octets) }
        }
        return isKept ? nil : kept.rule
    }

    private func matches(_ component: [UInt8], _ frame: Frame, _ octets: Octets) -> Bool {
        if component == [UInt8(ascii: "*")] { return true }
        guard frame.isObject else { return false }
        if frame.nameHasEscapes { return SanitizerView(octets, frame.name, undoing: .json).octets == component }
        return octets[frame.name].elementsEqual(component)
    }

    private func nearestName(_ octets: Octets, _ frames: [Frame]) -> [UInt8] {
        frames.last(where: \.isObject).map { Array(octets[$0.name]) } ?? []
    }

    private func place(_ octets: Octets, _ frames: [Frame], _ outer: SecretLocation) -> SecretLocation {
        var pointer = outer.name
        for (index, frame) in frames.enumerated() {
            if index == Self.pointerLength {
                pointer += "/…"
                break
            }
            pointer += frame.isObject ? "/" + JSONPointer.escape(octets[frame.name].prefix(64)) : "/*"
        }
        return SecretLocation(side: side, part: outer.part, name: pointer)
    }

    /// The value behind a scheme's word, for members such as `"authorization": "Bearer …"`.
    private static func withoutScheme(_ octets: Octets, _ range: Range<Int>) -> Range<Int> {
        guard let credentials = SanitizerCredentials.behindScheme(octets, range) else { return range }
        return credentials
    }
}
