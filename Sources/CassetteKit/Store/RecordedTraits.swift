package import HTTPCore

/// What a recorder has to know of a request besides its key: what of it may differ without being a change.
package struct RecordedTraits: Sendable {
    /// The rules that hold for the request; what they ignore is volatile.
    package var rules: MatchRules
    /// The target with what is the same for all values in place of each shared parameter.
    package var target: Bytes
    /// Takes shared values out of an answer that is adapted to them on replay; nil where none is.
    package var substitution: ValueSubstitution?
    /// Whether the number of equal answers matters: where a request beyond the recorded order is a miss.
    package var countsRepeats = false

    package init(rules: MatchRules, target: Bytes) {
        self.rules = rules
        self.target = target
    }
}

extension RecordedTraits {
    /// A request's target without the query items that do not count.
    var countedTarget: Bytes {
        guard !rules.ignoreQuery.isEmpty, let question = target.firstIndex(of: UInt8(ascii: "?")) else { return target }
        let ignored = Set(rules.ignoreQuery.map { Bytes($0.utf8) })
        let kept = splitQuery(target[(question + 1)...]).filter {
            !ignored.contains(percentDecode($0.name, plusIsSpace: true))
        }
        return target[..<question] + (kept.isEmpty ? [] : [UInt8(ascii: "?")] + joinQuery(kept))
    }

    /// A request's body without what does not count; nil where nothing of it does.
    func counted(_ body: Bytes, _ fields: Fields) -> Bytes? {
        if rules.body == .ignore { return nil }
        let type = Sanitizer.type(fields)
        guard !rules.ignoreBody.isEmpty, rules.body == .canonical, let type else { return body }
        let ignored = rules.ignoreBody.map(JSONPointer.components)
        if type.isJSON, let value = try? JSONText.parse(body) {
            let kept = ignored.reduce(value) { $0.removing($1[...]) }
            return JSONText.write(kept, layout: .compact)
        }
        guard type.isForm else { return body }
        let names = Set(ignored.compactMap { $0.count == 1 ? $0[0] : nil })
        return joinQuery(splitQuery(body).filter { !names.contains(percentDecode($0.name, plusIsSpace: true)) })
    }
}

extension JSONValue {
    /// The value without what a pointer names, `*` standing for any member or element.
    fileprivate func removing(_ pointer: ArraySlice<Bytes>) -> JSONValue {
        guard let step = pointer.first else { return self }
        let isAny = step == [UInt8(ascii: "*")]
        let isLast = pointer.count == 1
        let rest = pointer.dropFirst()
        switch self {
        case .object(let members):
            return .object(
                members.compactMap { member in
                    guard isAny || member.key.octets == step else { return member }
                    return isLast ? nil : JSONMember(key: member.key, value: member.value.removing(rest))
                })
        case .array(let elements):
            return .array(
                elements.indices.compactMap { index in
                    guard isAny || String(index).utf8.elementsEqual(step) else { return elements[index] }
                    return isLast ? nil : elements[index].removing(rest)
                })
        default: return self
        }
    }
}
