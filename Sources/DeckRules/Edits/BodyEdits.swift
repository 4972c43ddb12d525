package import CassetteKit

/// Changes of a recorded JSON body. What they don't touch keeps its spelling.
///
/// They are made in a fixed order: arrays emptied or halved, numbers zeroed, values removed, arrays cut, arrays grown, values
/// set, a GraphQL answer made partial.
package struct BodyEdits: Sendable {
    /// Which arrays lose their elements.
    package enum Empties: Sendable, Equatable {
        /// The body if it is an array, else every array that is a member of it, or of the envelope that it is.
        case topLevel
        /// The arrays at these places.
        case at([EditPointer])
    }

    package var empties: Empties?
    /// Whether the same arrays keep their first half, rounded up.
    package var halves = false
    /// Numbers that become 0, such as a total beside a list that was emptied.
    package var zeros: [EditPointer] = []
    package var removes: [EditPointer] = []
    /// How many elements of an array stay, from its beginning.
    package var keeps: [(pointer: EditPointer, count: Int)] = []
    /// How many elements an array has in the end: its own, over and over.
    package var repeats: [(pointer: EditPointer, count: Int)] = []
    package var sets: [(pointer: EditPointer, value: JSONValue)] = []
    /// Whether a GraphQL answer loses one field of its data (``PartialData``).
    package var spoilsData = false

    package init(
        empties: Empties? = nil, halves: Bool = false, zeros: [EditPointer] = [], removes: [EditPointer] = [],
        keeps: [(pointer: EditPointer, count: Int)] = [],
        repeats: [(pointer: EditPointer, count: Int)] = [], sets: [(pointer: EditPointer, value: JSONValue)] = [],
        spoilsData: Bool = false
    ) {
        self.empties = empties
        self.halves = halves
        self.zeros = zeros
        self.removes = removes
        self.keeps = keeps
        self.repeats = repeats
        self.sets = sets
        self.spoilsData = spoilsData
    }

    package var isEmpty: Bool {
        empties == nil && !halves && zeros.isEmpty && removes.isEmpty && keeps.isEmpty && repeats.isEmpty
            && sets.isEmpty && !spoilsData
    }

    /// The most elements that an array can be made to have.
    package static let mostElements = 100_000

    /// Makes the changes.
    ///
    /// - Returns: the pointers that named nothing in this body, as written, so that the log can say so.
    package func apply(to body: inout JSONValue) -> [String] {
        var idle: [String] = []
        idle += emptyArrays(in: &body)
        if halves { changeTopArrays(in: &body) { $0 = Array($0.prefix(($0.count + 1) / 2)) } }
        for pointer in zeros where zeroNumbers(at: pointer, in: &body) == 0 { idle.append(pointer.description) }
        for pointer in removes where removeValues(at: pointer, from: &body) == 0 { idle.append(pointer.description) }
        for (pointer, count) in keeps {
            let found = body.changeArrays(at: pointer) { $0 = Array($0.prefix(max(0, count))) }
            if found == 0 { idle.append(pointer.description) }
        }
        for (pointer, count) in repeats {
            let found = body.changeArrays(at: pointer) { grow(&$0, to: count) }
            if found == 0 { idle.append(pointer.description) }
        }
        for (pointer, value) in sets where setValue(value, at: pointer, in: &body) == 0 {
            idle.append(pointer.description)
        }
        if spoilsData, !PartialData.spoil(&body) { idle.append("/data") }
        return idle
    }

    private func zeroNumbers(at pointer: EditPointer, in body: inout JSONValue) -> Int {
        var count = 0
        _ = body.change(at: pointer.tokens[...]) { value in
            guard case .number = value else { return }
            value = .integer(0)
            count += 1
        }
        return count
    }

    private func emptyArrays(in body: inout JSONValue) -> [String] {
        switch empties {
        case nil: return []
        case .at(let pointers):
            return pointers.filter { body.changeArrays(at: $0) { $0 = [] } == 0 }.map(\.description)
        case .topLevel:
            changeTopArrays(in: &body) { $0 = [] }
            return []
        }
    }

    /// Changes the body if it is an array, else every array that is a member of it. An object without any, and with one
    /// object in it, is an envelope: then it is about that object.
    private func changeTopArrays(in body: inout JSONValue, _ edit: (inout [JSONValue]) -> Void) {
        switch body {
        case .array(var elements):
            edit(&elements)
            body = .array(elements)
        case .object(var members):
            let objects = members.indices.filter { members[$0].value.members != nil }
            if objects.count == 1, !members.contains(where: { $0.value.elements != nil }) {
                changeTopArrays(in: &members[objects[0]].value, edit)
            }
            for index in members.indices {
                guard case .array(var elements) = members[index].value else { continue }
                edit(&elements)
                members[index].value = .array(elements)
            }
            body = .object(members)
        default: break
        }
    }

    private func grow(_ elements: inout [JSONValue], to count: Int) {
        let pattern = elements
        let wanted = min(count, BodyEdits.mostElements)
        guard !pattern.isEmpty, pattern.count < wanted else { return }
        elements.reserveCapacity(wanted)
        for index in pattern.count..<wanted { elements.append(pattern[index % pattern.count]) }
    }

    private func removeValues(at pointer: EditPointer, from body: inout JSONValue) -> Int {
        guard let last = pointer.tokens.last else { return 0 }
        var count = 0
        _ = body.change(at: pointer.tokens.dropLast()) { parent in
            switch parent {
            case .array(var elements):
                let before = elements.count
                if last == .each {
                    elements = []
                } else if let index = last.index(in: before), index < before {
                    elements.remove(at: index)
                }
                count += before - elements.count
                parent = .array(elements)
            case .object(var members):
                let before = members.count
                members.removeAll { last.names($0.key) }
                count += before - members.count
                parent = .object(members)
            default: break
            }
        }
        return count
    }

    /// Replaces values, adds a member that is missing, or appends at an array's end.
    private func setValue(_ value: JSONValue, at pointer: EditPointer, in body: inout JSONValue) -> Int {
        guard let last = pointer.tokens.last else {
            body = value
            return 1
        }
        var count = 0
        _ = body.change(at: pointer.tokens.dropLast()) { parent in
            count += parent.change(at: [last]) { $0 = value }
            guard case .name(let name) = last else { return }
            switch parent {
            case .array(let elements) where last.index(in: elements.count) == elements.count:
                parent = .array(elements + [value])
                count += 1
            case .object(let members) where !members.contains(where: { $0.key.isText(name) }):
                parent = .object(members + [JSONMember(name, value)])
                count += 1
            default: break
            }
        }
        return count
    }
}

extension JSONValue {
    /// Changes each array that a pointer names; gives how many there were.
    fileprivate mutating func changeArrays(at pointer: EditPointer, _ edit: (inout [JSONValue]) -> Void) -> Int {
        var count = 0
        _ = change(at: pointer.tokens[...]) { value in
            guard case .array(var elements) = value else { return }
            edit(&elements)
            value = .array(elements)
            count += 1
        }
        return count
    }
}
