/// JSON by value, for match keys: key order and white space don't count, numbers count by their decimal value, strings
/// by what they decode to. Repeated keys keep their order.
struct MatchJSON {
    private struct Frame {
        var isObject: Bool
        /// Where the container's contents begin in the output.
        var start: Int
        /// Where the present value, with its name, begins.
        var member: Int
        /// The present member's name in the output.
        var name = 0..<0
        /// Where each member stands in the output.
        var members: [(name: Range<Int>, whole: Range<Int>)] = []
        var index = -1
        var isSkipped = false
        /// Whether a member is a GraphQL document, and whether one is a persisted query's hash.
        var hasQuery = false
        var hasHash = false
        /// The persisted query's hash, or that of the document; kept only where it alone counts.
        var hash: [UInt8]?
    }

    /// Containers whose contents are longer count by their digest, so that sorting moves each octet only a few times.
    private static let inlineLimit = 128

    private let octets: UnsafeBufferPointer<UInt8>
    private let ignored: [[[UInt8]]]
    private let graphQL: MatchRules.GraphQL
    private var out: [UInt8] = []
    private var frames: [Frame] = []

    /// The canonical form of JSON text, nil if it is none.
    static func canonical(
        _ octets: UnsafeBufferPointer<UInt8>, ignoring ignored: [[[UInt8]]], graphQL: MatchRules.GraphQL = .exact
    ) -> [UInt8]? {
        var form = MatchJSON(octets, ignored, graphQL)
        return form.run() ? form.out : nil
    }

    private init(_ octets: UnsafeBufferPointer<UInt8>, _ ignored: [[[UInt8]]], _ graphQL: MatchRules.GraphQL) {
        self.octets = octets
        self.ignored = ignored
        self.graphQL = graphQL
        out.reserveCapacity(octets.count + 16)
    }

    private mutating func run() -> Bool {
        var cursor = JSONCursor(octets, 0..<octets.count)
        while true {
            let token = cursor.next()
            switch token {
            case .name: name(cursor)
            case .beginObject, .beginArray:
                beginValue()
                out.append(token == .beginObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
                frames.append(Frame(isObject: token == .beginObject, start: out.count, member: out.count))
            case .endObject, .endArray:
                close()
                endValue()
            case .string:
                beginValue()
                string(cursor)
                endValue()
            case .number, .bool, .null:
                beginValue()
                scalar(token, cursor.range)
                endValue()
            case .end: return true
            case .tooDeep, .malformed: return false
            }
        }
    }

    private mutating func name(_ cursor: JSONCursor) {
        let start = out.count
        let top = frames.count - 1
        frames[top].member = start
        text(cursor.range, cursor.hasEscapes)
        // Behind the tag and the length stands the name itself.
        var length = start + 1
        while out[length] >= 0x80 { length += 1 }
        frames[top].name = (length + 1)..<out.count
        frames[top].isSkipped = isIgnored()
    }

    private mutating func beginValue() {
        guard let top = frames.indices.last, !frames[top].isObject else { return }
        frames[top].member = out.count
        frames[top].index += 1
        frames[top].isSkipped = isIgnored()
    }

    private mutating func endValue() {
        guard let top = frames.indices.last else { return }
        if frames[top].isSkipped {
            out.removeSubrange(frames[top].member...)
        } else if frames[top].isObject {
            frames[top].members.append((frames[top].name, frames[top].member..<out.count))
        }
    }

    private mutating func scalar(_ token: JSONCursor.Token, _ range: Range<Int>) {
        guard token == .number else {
            out.append(octets[range.lowerBound])
            return
        }
        let start = out.count
        out.append(UInt8(ascii: "#"))
        MatchNumber.append(octets, range, &out)
        // A number's octets are none that could follow it, so its end needs no length.
        assert(out.count > start)
        out.append(UInt8(ascii: ";"))
    }

    private mutating func text(_ range: Range<Int>, _ hasEscapes: Bool) {
        out.append(UInt8(ascii: "\""))
        if hasEscapes {
            let decoded = SanitizerView(octets, range, undoing: .json).octets
            MatchForm.length(decoded.count, &out)
            out.append(contentsOf: decoded)
        } else {
            MatchForm.length(range.count, &out)
            out.append(contentsOf: octets[range])
        }
    }

    private mutating func string(_ cursor: JSONCursor) {
        guard let top = frames.indices.last, frames[top].isObject, isGraphQLDepth else {
            noteHash(cursor)
            return text(cursor.range, cursor.hasEscapes)
        }
        let isQuery = out[frames[top].name].elementsEqual("query".utf8)
        guard isQuery else { return text(cursor.range, cursor.hasEscapes) }
        let decoded = SanitizerView(octets, cursor.range, undoing: .json).octets
        guard MatchGraphQL.isDocument(decoded) else { return text(cursor.range, cursor.hasEscapes) }
        let folded = MatchGraphQL.folded(decoded)
        out.append(UInt8(ascii: "g"))
        MatchForm.length(folded.count, &out)
        out.append(contentsOf: folded)
        frames[top].hasQuery = true
        if graphQL == .hash, frames[top].hash == nil { frames[top].hash = MatchGraphQL.hash(decoded) }
    }

    /// Whether a member of the innermost container may be a GraphQL request's: it is the whole, or in a batch.
    private var isGraphQLDepth: Bool { frames.count == 1 || frames.count == 2 && !frames[0].isObject }

    /// Notes `extensions.persistedQuery.sha256Hash` at the request that has it.
    private mutating func noteHash(_ cursor: JSONCursor) {
        let depth = frames.count
        guard depth == 3 || depth == 4 && !frames[0].isObject,
            out[frames[depth - 1].name].elementsEqual("sha256Hash".utf8),
            frames[depth - 2].isObject, out[frames[depth - 2].name].elementsEqual("persistedQuery".utf8),
            frames[depth - 3].isObject, out[frames[depth - 3].name].elementsEqual("extensions".utf8)
        else { return }
        frames[depth - 3].hasHash = true
        if graphQL == .hash {
            frames[depth - 3].hash = SanitizerView(octets, cursor.range, undoing: .json).octets
        }
    }

    private mutating func close() {
        var frame = frames.removeLast()
        if frame.isObject {
            dropQuery(&frame)
            sort(frame)
            out.append(UInt8(ascii: "}"))
        } else {
            out.append(UInt8(ascii: "]"))
        }
        guard out.count - frame.start > Self.inlineLimit else { return }
        let digest = out.withUnsafeBufferPointer { SHA256.digest(UnsafeBufferPointer(rebasing: $0[frame.start...])) }
        out.removeSubrange(frame.start...)
        out[frame.start - 1] = frame.isObject ? UInt8(ascii: "D") : UInt8(ascii: "d")
        out.append(contentsOf: digest)
    }

    /// A persisted query counts by its hash: then the text, which may be sent along or not, does not. Where the operation
    /// alone counts, neither does.
    private mutating func dropQuery(_ frame: inout Frame) {
        if frame.hasQuery || frame.hasHash, graphQL == .operation {
            drop("extensions", &frame)
            drop("query", &frame)
        } else if let hash = frame.hash {
            drop("extensions", &frame)
            drop("query", &frame)
            append(hash: hash, &frame)
        } else if frame.hasHash, frame.hasQuery {
            drop("query", &frame)
        }
    }

    /// Puts a hash where document and extensions stood.
    private mutating func append(hash: [UInt8], _ frame: inout Frame) {
        let start = out.count
        let name = Array("sha256Hash".utf8)
        out.append(UInt8(ascii: "\""))
        MatchForm.length(name.count, &out)
        let nameStart = out.count
        out.append(contentsOf: name)
        let nameEnd = out.count
        out.append(UInt8(ascii: "\""))
        MatchForm.length(hash.count, &out)
        out.append(contentsOf: hash)
        frame.members.append((nameStart..<nameEnd, start..<out.count))
    }

    private mutating func drop(_ name: String, _ frame: inout Frame) {
        guard let dropped = frame.members.firstIndex(where: { out[$0.name].elementsEqual(name.utf8) }) else { return }
        let range = frame.members.remove(at: dropped).whole
        out.removeSubrange(range)
        for index in dropped..<frame.members.count {
            let (name, whole) = frame.members[index]
            frame.members[index].name = (name.lowerBound - range.count)..<(name.upperBound - range.count)
            frame.members[index].whole = (whole.lowerBound - range.count)..<(whole.upperBound - range.count)
        }
    }

    private mutating func sort(_ frame: Frame) {
        let members = frame.members
        let isSorted = zip(members, members.dropFirst()).allSatisfy {
            !out[$1.name].lexicographicallyPrecedes(out[$0.name])
        }
        guard !isSorted else { return }
        let order = members.indices.sorted { left, right in
            let (first, second) = (out[members[left].name], out[members[right].name])
            if first.lexicographicallyPrecedes(second) { return true }
            return !second.lexicographicallyPrecedes(first) && left < right
        }
        var sorted: [UInt8] = []
        sorted.reserveCapacity(out.count - frame.start)
        for index in order { sorted.append(contentsOf: out[members[index].whole]) }
        out.replaceSubrange(frame.start..., with: sorted)
    }

    /// Whether a pointer leads to the value that begins.
    private func isIgnored() -> Bool {
        for pointer in ignored where pointer.count == frames.count {
            if zip(pointer, frames).allSatisfy({ matches($0, $1) }) { return true }
        }
        return false
    }

    private func matches(_ component: [UInt8], _ frame: Frame) -> Bool {
        if component == [UInt8(ascii: "*")] { return true }
        return frame.isObject ? out[frame.name].elementsEqual(component) : Array(String(frame.index).utf8) == component
    }
}
