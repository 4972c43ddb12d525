import CassetteKit
import DeckRules

extension ConfigurationReader {
    static let variantKeys = [
        "status", "headers", "body", "bodyFile", "set", "remove", "keep", "repeat", "emptyAt", "zeroAt", "latency",
        "bandwidth", "fault", "sends", "after", "times", "every", "probability", "for", "when", "then",
    ]

    mutating func readVariant(_ node: Node, _ readFile: (String) -> [UInt8]?) -> VariantDefinition {
        let members = object(node, known: Self.variantKeys)
        var definition = VariantDefinition()
        definition.status = members["status"].flatMap { integer($0, in: 200...999) }
        definition.fields = members["headers"].map { readFields($0) } ?? []
        definition.body = readBody(members, readFile)
        definition.edits = readEdits(members)
        definition.fault = members["fault"].flatMap { choice($0, as: "fault", of: FaultKind.self) }
        definition.sends = members["sends"].flatMap { choice($0, as: "part of an answer", of: AnswerPart.self) }
        definition.latency = members["latency"].flatMap { readLatency($0) }
        definition.bandwidth = members["bandwidth"].flatMap { readBandwidth($0) }
        definition.plan = readPlan(members)
        if let contradiction = definition.contradiction() { report(node.path, contradiction) }
        return definition
    }

    /// When a variant acts.
    private mutating func readPlan(_ members: [String: Node]) -> PlanDefinition {
        var plan = PlanDefinition()
        plan.after = members["after"].flatMap { integer($0, in: 0...1_000_000_000) }
        plan.times = members["times"].flatMap { integer($0, in: 1...1_000_000_000) }
        plan.every = members["every"].flatMap { integer($0, in: 1...1_000_000_000) }
        plan.probability = members["probability"].flatMap { number($0, above: 0, to: 1) }
        plan.duration = members["for"].flatMap { duration($0) }
        plan.when = members["when"].flatMap { readWhen($0) }
        plan.then = members["then"].flatMap { string($0, as: "a variant's name") }
        if plan.duration == .zero, let node = members["for"] {
            report(node.path, "a variant that acts for no time never acts", advice: "write a time above 0")
        }
        if let node = members["then"], !["times", "for", "when"].contains(where: { members[$0] != nil }) {
            report(
                node.path, "nothing ends the variant, so `then` never comes",
                advice: "add \"times\", \"for\" or \"when\"")
        }
        return plan
    }

    /// The use of a route that ends a variant.
    private mutating func readWhen(_ node: Node) -> RouteUse? {
        let members = object(node, known: ["route", "times"])
        guard let route = members["route"] else {
            if node.value.members != nil { report(node.path, "there is no route", advice: "add \"route\": \"NAME\"") }
            return nil
        }
        let times = members["times"].flatMap { integer($0, in: 1...1_000_000_000) } ?? 1
        return string(route, as: "a route's name").map { RouteUse(route: $0, times: times) }
    }

    private mutating func readBody(_ members: [String: Node], _ readFile: (String) -> [UInt8]?) -> OwnBody? {
        if let node = members["bodyFile"] {
            if members["body"] != nil {
                report(node.path, "there are a body and a body file", advice: "keep one of them")
            }
            return readBodyFile(node, readFile).map { .file($0) }
        }
        guard let node = members["body"] else { return nil }
        return node.value.text.map { .text($0) } ?? .json(node.value)
    }

    /// A name without parameters is read at once; what the others name can only be known when a request fills them.
    private mutating func readBodyFile(_ node: Node, _ readFile: (String) -> [UInt8]?) -> VariantFile? {
        let folder = folder
        let read = { (name: String) throws(RuleError) -> VariantFile in try VariantFile(name, folder: folder) }
        guard var body = reading(node, as: "a file's name", read) else { return nil }
        guard body.parameterNames.isEmpty else { return body }
        guard let path = try? body.path([:]), let contents = readFile(path) else {
            report(node.path, "the body file `\(body.text)` cannot be read", advice: "put it beside the configuration")
            return body
        }
        body.contents = contents
        return body
    }

    private mutating func readEdits(_ members: [String: Node]) -> BodyEdits? {
        var edits = BodyEdits()
        edits.empties = members["emptyAt"].map { .at(readPointers($0)) }
        edits.zeros = members["zeroAt"].map { readPointers($0) } ?? []
        edits.removes = members["remove"].map { readPointers($0) } ?? []
        edits.keeps = members["keep"].map { readCounts($0, 0...BodyEdits.mostElements) } ?? []
        edits.repeats = members["repeat"].map { readCounts($0, 1...BodyEdits.mostElements) } ?? []
        edits.sets = members["set"].map { readSets($0) } ?? []
        return edits.isEmpty ? nil : edits
    }

    private mutating func readCounts(_ node: Node, _ range: ClosedRange<Int>) -> [(pointer: EditPointer, count: Int)] {
        members(node).compactMap { key, node in
            guard let pointer = pointer(key, at: node.path), let count = integer(node, in: range) else { return nil }
            return (pointer, count)
        }
    }

    private mutating func readSets(_ node: Node) -> [(pointer: EditPointer, value: JSONValue)] {
        members(node).compactMap { key, node in
            guard let pointer = pointer(key, at: node.path) else { return nil }
            guard let name = EdgeValue.name(in: node.value) else { return (pointer, node.value) }
            if let edge = EdgeValue(rawValue: name) { return (pointer, edge.value) }
            report(
                node.path.key("$edge"), "`\(name)` is no edge value",
                advice: suggestion(for: name, among: EdgeValue.allCases.map(\.rawValue)))
            return nil
        }
    }

    private mutating func pointer(_ text: String, at path: JSONPath) -> EditPointer? {
        do {
            return try EditPointer(text)
        } catch {
            report(path, error)
            return nil
        }
    }
}

extension ConfigurationReader {
    /// Fields as an object (`"Name": "value"`, a list for several lines, null to remove) or as lines (`"Name: value"`).
    private mutating func readFields(_ node: Node) -> [FieldChange] {
        if node.value.elements != nil { return readFieldLines(node) }
        return members(node).compactMap { name, node in
            guard checkField(name, at: node.path) else { return nil }
            if node.value == .null { return FieldChange(name, []) }
            return FieldChange(name, list(node).compactMap { readFieldValue($0) })
        }
    }

    private mutating func readFieldLines(_ node: Node) -> [FieldChange] {
        var changes: [FieldChange] = []
        for node in list(node) {
            guard let line = string(node, as: "a line `Name: value`") else { continue }
            guard let colon = line.firstIndex(of: ":") else {
                report(node.path, "a header line has no colon", advice: "write \"Name: value\"")
                continue
            }
            let name = String(line[..<colon])
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            guard checkField(name, at: node.path), checkFieldValue(String(value), at: node.path) else { continue }
            if let known = changes.firstIndex(where: { $0.isNamed(name) }) {
                changes[known].values.append(String(value))
            } else {
                changes.append(FieldChange(name, [String(value)]))
            }
        }
        return changes
    }

    private mutating func readFieldValue(_ node: Node) -> String? {
        let value: String
        switch node.value {
        case .number(let spelling): value = spelling
        case .string(let string): value = string.text
        default:
            report(
                node.path, "a header's value is expected here, not \(node.value.kind)", advice: "write it as a string")
            return nil
        }
        return checkFieldValue(value, at: node.path) ? value : nil
    }

    private mutating func checkField(_ name: String, at path: JSONPath) -> Bool {
        do {
            _ = try checkedFieldName(name)
        } catch {
            report(path, error)
            return false
        }
        let framing = ["content-length", "transfer-encoding", "connection", "trailer"]
        if framing.contains(name.lowercased()) {
            report(path, "the deck sets `\(name)` itself, to fit the body", advice: "leave it out")
            return false
        }
        return true
    }

    private mutating func checkFieldValue(_ value: String, at path: JSONPath) -> Bool {
        if value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) { return true }
        report(path, "a header's value has a control character", advice: "write one line without it")
        return false
    }
}
