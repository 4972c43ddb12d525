import HTTPCore

/// Compares two bodies place by place. Both are sanitized for a key, so that secrets are equal.
struct NearestBody {
    /// More differences than this are not looked for where nobody says otherwise.
    static let limit = 12
    /// Larger bodies are compared as a whole.
    private static let sizeLimit = 1 << 20
    /// Deeper values are compared as a whole.
    private static let depthLimit = 48

    private(set) var differences: [NearestDifference] = []
    private let limit: Int

    private init(limit: Int) { self.limit = limit }

    /// The differences between the request's body and a recorded one; the types choose how.
    static func differences(
        _ request: Bytes, _ requestType: MediaType?, _ recorded: Bytes, _ recordedType: MediaType?,
        limit: Int = limit
    ) -> [NearestDifference] {
        if request == recorded { return [] }
        var comparison = NearestBody(limit: limit)
        let isSmall = request.count <= sizeLimit && recorded.count <= sizeLimit
        if isSmall, requestType?.isJSON == true, recordedType?.isJSON == true, let left = try? JSONText.parse(request),
            let right = try? JSONText.parse(recorded)
        {
            comparison.compare(left, right, "", depth: 0)
        } else if isSmall, requestType?.isForm == true, recordedType?.isForm == true {
            comparison.compareForms(request, recorded)
        } else {
            comparison.add(.body, size(request), size(recorded))
        }
        return comparison.differences
    }

    private static func size(_ body: Bytes) -> String? { body.isEmpty ? nil : "\(body.count) octets" }

    private mutating func add(_ place: NearestDifference.Place, _ request: String?, _ recorded: String?) {
        guard differences.count < limit else { return }
        differences.append(NearestDifference(place: place, request: request, recorded: recorded))
    }

    private mutating func compare(_ left: JSONValue, _ right: JSONValue, _ pointer: String, depth: Int) {
        guard differences.count < limit else { return }
        if depth < Self.depthLimit {
            switch (left, right) {
            case (.object(let left), .object(let right)): return compare(left, right, pointer, depth)
            case (.array(let left), .array(let right)): return compare(left, right, pointer, depth)
            default: break
            }
        }
        if !Self.isEqual(left, right), !Self.isSameDocument(left, right, pointer) {
            add(.json(pointer), Self.show(left), Self.show(right))
        }
    }

    /// Whether two texts under `query` are GraphQL documents that differ in white space and comments only.
    private static func isSameDocument(_ left: JSONValue, _ right: JSONValue, _ pointer: String) -> Bool {
        guard pointer.hasSuffix("/query"), case .string(let left) = left, case .string(let right) = right,
            MatchGraphQL.isDocument(left.octets), MatchGraphQL.isDocument(right.octets)
        else { return false }
        return MatchGraphQL.folded(left.octets) == MatchGraphQL.folded(right.octets)
    }

    private mutating func compare(_ left: [JSONMember], _ right: [JSONMember], _ pointer: String, _ depth: Int) {
        var recorded: [[UInt8]: [JSONValue]] = [:]
        for member in right.reversed() { recorded[member.key.octets, default: []].append(member.value) }
        for member in left {
            let place = pointer + "/" + JSONPointer.escape(member.key.octets)
            if let value = recorded[member.key.octets]?.popLast() {
                compare(member.value, value, place, depth: depth + 1)
            } else {
                add(.json(place), Self.show(member.value), nil)
            }
        }
        for member in right where recorded[member.key.octets]?.isEmpty == false {
            guard let value = recorded[member.key.octets]?.popLast() else { continue }
            add(.json(pointer + "/" + JSONPointer.escape(member.key.octets)), nil, Self.show(value))
        }
    }

    private mutating func compare(_ left: [JSONValue], _ right: [JSONValue], _ pointer: String, _ depth: Int) {
        for index in 0..<max(left.count, right.count) {
            guard differences.count < limit else { return }
            let place = "\(pointer)/\(index)"
            if index >= right.count {
                add(.json(place), Self.show(left[index]), nil)
            } else if index >= left.count {
                add(.json(place), nil, Self.show(right[index]))
            } else {
                compare(left[index], right[index], place, depth: depth + 1)
            }
        }
    }

    /// Equal as match keys take it.
    private static func isEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
        left == right || canonical(left) == canonical(right)
    }

    private static func canonical(_ value: JSONValue) -> [UInt8]? {
        JSONText.write(value, layout: .compact).withUnsafeBufferPointer { MatchJSON.canonical($0, ignoring: []) }
    }

    /// Containers with more members, or more octets, are only counted.
    private static let smallest = 6
    private static let shortest = 60

    private static func show(_ value: JSONValue) -> String {
        let count = value.members?.count ?? value.elements?.count ?? 0
        if count <= smallest {
            let text = JSONText.write(value, layout: .compact)
            if count == 0 || text.count <= shortest { return NearestText.show(text) }
        }
        if let members = value.members { return "an object with \(members.count) members" }
        return "an array of \(count)"
    }

    private mutating func compareForms(_ left: Bytes, _ right: Bytes) {
        let items = NearestItems.differences(splitQuery(left), splitQuery(right), plusIsSpace: true)
        for item in items { add(.form(item.name), item.request, item.recorded) }
    }
}

/// Compares two lists of items by name.
enum NearestItems {
    static func differences(
        _ request: [QueryItem], _ recorded: [QueryItem], plusIsSpace: Bool
    ) -> [(name: String, request: String?, recorded: String?)] {
        let left = byName(request, plusIsSpace)
        let right = byName(recorded, plusIsSpace)
        var found: [(name: String, request: String?, recorded: String?)] = []
        for (name, values) in left where values != right[name] {
            found.append((NearestText.show(name), show(values), right[name].map(show)))
        }
        for (name, values) in right where left[name] == nil {
            found.append((NearestText.show(name), nil, show(values)))
        }
        return found.sorted { $0.name < $1.name }
    }

    private static func byName(_ items: [QueryItem], _ plusIsSpace: Bool) -> [Bytes: [Bytes?]] {
        var named: [Bytes: [Bytes?]] = [:]
        for item in items where !item.name.isEmpty || item.value != nil {
            let name = percentDecode(item.name, plusIsSpace: plusIsSpace)
            let value = item.value.map { plusIsSpace ? percentDecode($0, plusIsSpace: true) : normalizePercent($0) }
            named[name, default: []].append(value)
        }
        return named
    }

    private static func show(_ values: [Bytes?]) -> String {
        let shown = values.prefix(4).map { value in value.map { "\"\(NearestText.show($0))\"" } ?? "no value" }
        return shown.joined(separator: ", ") + (values.count > 4 ? ", …" : "")
    }
}
