/// JSON bodies, and JSON within strings: the walk through them. What becomes of values, and which rule a place has, stands beside.
extension SanitizerPass {
    /// An open container.
    struct JSONFrame {
        var isObject: Bool
        /// Where it begins.
        var start: Int
        /// Where the present member's name stands, without quotation marks.
        var name = 0..<0
        var nameHasEscapes = false
        /// The present element's place in an array.
        var index = -1
        /// A hash of the pointer to the container.
        var key: UInt64 = 0
        /// The rule for the present member's value.
        var rule: Int?
        /// The rule for everything within.
        var inherited: Int?
        /// The rule that takes this container out.
        var removedBy: Int?
        var removals = SanitizerRemovals()
        /// Codes that are secret if the object turns out to have a member that goes along with one.
        var codes: [(name: Range<Int>, value: Range<Int>, rule: Int)] = []
        var hasCompanion = false
    }

    /// JSON text within strings is looked into this deep; what is deeper is hidden whole.
    static let stringDepth = 6
    /// A body that is nested deeper is replaced whole: it can't be read in full.
    static let depthLimit = 12_000

    /// The edits for JSON text that fills `range`, in order; nil if it is none. `isTooDeep` says then whether it only could
    /// not be read.
    mutating func json(
        _ octets: Octets, _ range: Range<Int>, _ outer: SecretLocation, depth: Int
    ) -> [SanitizerEdit]? {
        let saved = findings
        var cursor = JSONCursor(octets, range, depthLimit: Self.depthLimit)
        var frames: [JSONFrame] = []
        var edits: [SanitizerEdit] = []
        while true {
            let token = cursor.next()
            switch token {
            case .beginObject, .beginArray:
                begin(&frames)
                open(token == .beginObject, at: cursor.range.lowerBound, &frames, octets, outer)
            case .endObject, .endArray: close(cursor, &frames, &edits, octets, outer)
            case .name:
                edits += name(octets, cursor, &frames[frames.count - 1], outer)
            case .string:
                begin(&frames)
                let removed = removal(octets, cursor.range, frames, outer)
                if removed == nil { edits += string(octets, cursor, &frames, outer, depth) }
                let whole = (cursor.range.lowerBound - 1)..<(cursor.range.upperBound + 1)
                end(whole, removedBy: removed, &frames)
            case .number, .bool, .null:
                begin(&frames)
                let removed = removal(octets, cursor.range, frames, outer)
                if removed == nil, token == .number, let edit = number(octets, cursor.range, frames, outer) {
                    edits.append(edit)
                }
                end(cursor.range, removedBy: removed, &frames)
            case .end: return SanitizerEdit.ordered(edits)
            case .tooDeep, .malformed:
                isTooDeep = token == .tooDeep
                forget(since: saved)
                return nil
            }
        }
    }

    private func begin(_ frames: inout [JSONFrame]) {
        if !frames.isEmpty { frames[frames.count - 1].index += 1 }
    }

    /// Takes up that a value of the innermost container is over.
    private func end(_ value: Range<Int>, removedBy rule: Int?, _ frames: inout [JSONFrame]) {
        guard tables.removes, let last = frames.indices.last else { return }
        let isMember = frames[last].isObject
        let start = isMember ? frames[last].name.lowerBound - 1 : value.lowerBound
        frames[last].removals.member(start..<value.upperBound, removedBy: rule)
    }

    private mutating func open(
        _ isObject: Bool, at start: Int, _ frames: inout [JSONFrame], _ octets: Octets, _ outer: SecretLocation
    ) {
        var frame = JSONFrame(isObject: isObject, start: start)
        frame.key = key(octets, frames, outer)
        if let parent = frames.last {
            if let rule = pointerRule(octets, frames) ?? parent.inherited {
                frame.inherited = rule
            } else if let rule = parent.rule {
                let goesBelow = tables.secretNames(rule)?.parts.contains(.below) ?? true
                if goesBelow || !isObject { frame.inherited = rule }
            }
            if let rule = frame.inherited, tables.removes, tables.action(rule) == .remove,
                tables.secretNames(rule)?.condition ?? .any == .any
            {
                if !isKey { count(rule, place(octets, frames, outer)) }
                frame.removedBy = rule
            }
        }
        frames.append(frame)
    }

    private mutating func close(
        _ cursor: JSONCursor, _ frames: inout [JSONFrame], _ edits: inout [SanitizerEdit], _ octets: Octets,
        _ outer: SecretLocation
    ) {
        var frame = frames.removeLast()
        if frame.hasCompanion { edits += codes(frame, octets, frames, outer) }
        guard tables.removes else { return }
        _ = frame.removals.end((frame.start + 1)..<cursor.range.lowerBound)
        edits += frame.removals.edits
        end(frame.start..<cursor.range.upperBound, removedBy: frame.removedBy, &frames)
    }

    /// The rule that takes a scalar value out with its member or element; nil if it stays.
    private mutating func removal(
        _ octets: Octets, _ range: Range<Int>, _ frames: [JSONFrame], _ outer: SecretLocation
    ) -> Int? {
        guard tables.removes, let rule = rule(octets, frames), tables.action(rule) == .remove else { return nil }
        let condition = tables.secretNames(rule)?.condition ?? .any
        guard condition != .oauth, isSecret(octets, range, condition) else { return nil }
        let name = SecretPlaceholder.name(nearestName(octets, frames))
        let place = place(octets, frames, outer)
        return takesOut(octets, range, rule: rule, name: name, at: place) ? rule : nil
    }

    /// Looks up the rule for a member, and gives the edits for secrets in its name.
    private mutating func name(
        _ octets: Octets, _ cursor: JSONCursor, _ frame: inout JSONFrame, _ outer: SecretLocation
    ) -> [SanitizerEdit] {
        frame.name = cursor.range
        frame.nameHasEscapes = cursor.hasEscapes
        let view = cursor.hasEscapes ? SanitizerView(octets, cursor.range, undoing: .json) : nil
        frame.rule = view.map { tables.names.json.rule($0.octets) } ?? tables.names.json.rule(octets, cursor.range)
        if !frame.hasCompanion {
            let companion =
                view.map { tables.companions.rule($0.octets) } ?? tables.companions.rule(octets, frame.name)
            frame.hasCompanion = companion != nil
        }
        let range = cursor.range
        guard range.count >= 4 else { return [] }
        let edits: [SanitizerEdit]
        if let view {
            edits = view.octets.withUnsafeBufferPointer { text($0, 0..<$0.count, outer).map(view.original) }
        } else {
            edits = text(octets, cursor.range, outer)
        }
        // Where a secret stands in the name, what is behind it counts, whether it is hidden already or not.
        let tail = SecretPlaceholder.tail(octets, (edits.last?.range.upperBound ?? range.lowerBound)..<range.upperBound)
        if tail.lowerBound > range.lowerBound { frame.rule = tables.names.json.rule(octets, tail) }
        return edits
    }
}
