import CassetteKit
import DeckRules

/// Reads a configuration and goes on after a problem, so that all are reported at once.
struct ConfigurationReader {
    /// A value and where it stands.
    struct Node {
        var value: JSONValue
        var path: JSONPath
    }

    let octets: [UInt8]
    let file: String
    /// The folder of the configuration; empty for the current one.
    let folder: String
    private var found: [(path: JSONPath, error: RuleError)] = []
    private var remarks: [(path: JSONPath, error: RuleError)] = []

    init(_ octets: [UInt8], file: String) {
        self.octets = octets
        self.file = file
        folder = file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? ""
    }

    /// Reads the text to its root value; syntax errors end the reading at once.
    mutating func root() throws(ConfigurationError) -> Node {
        do {
            return Node(value: try JSONText.parse(octets, options: .relaxed), path: JSONPath())
        } catch {
            throw ConfigurationError([
                ConfigurationProblem(
                    file: file, line: error.line, column: error.column, path: error.path, message: error.message,
                    advice: error.advice)
            ])
        }
    }

    mutating func report(_ path: JSONPath, _ message: String, advice: String = "") {
        found.append((path, RuleError(message, advice: advice)))
    }

    mutating func report(_ path: JSONPath, _ error: RuleError) { found.append((path, error)) }

    mutating func warn(_ path: JSONPath, _ message: String, advice: String = "") {
        remarks.append((path, RuleError(message, advice: advice)))
    }

    /// All problems so far, in the order of the file.
    var problems: [ConfigurationProblem] { located(found) }
    var warnings: [ConfigurationProblem] { located(remarks) }

    private func located(_ list: [(path: JSONPath, error: RuleError)]) -> [ConfigurationProblem] {
        list.map { path, error in
            let place = position(path)
            return ConfigurationProblem(
                file: file, line: place.line, column: place.column, path: path.description, message: error.message,
                advice: error.advice)
        }.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }

    /// Where a value begins; for one that is not there, where the nearest value around it does.
    private func position(_ path: JSONPath) -> (line: Int, column: Int) {
        var path = path
        while true {
            if let place = JSONText.position(of: path, in: octets, options: .relaxed) { return place }
            if path.components.isEmpty { return (1, 1) }
            path.components.removeLast()
        }
    }
}

extension ConfigurationReader {
    /// The members of an object, by key. Unknown and repeated keys are reported.
    mutating func object(_ node: Node, known keys: [String]) -> [String: Node] {
        var members: [String: Node] = [:]
        for (key, member) in self.members(node) {
            if keys.contains(key) {
                members[key] = member
            } else {
                report(member.path, "the key `\(key)` is unknown", advice: suggestion(for: key, among: keys))
            }
        }
        return members
    }

    /// The members of an object whose keys are names, in order. Repeated keys are reported and left out.
    mutating func members(_ node: Node) -> [(key: String, node: Node)] {
        guard let members = node.value.members else {
            report(node.path, "an object is expected here, not \(node.value.kind)", advice: "write { … }")
            return []
        }
        var seen: Set<String> = []
        var result: [(key: String, node: Node)] = []
        for member in members {
            let key = member.key.text
            if seen.insert(key).inserted {
                result.append((key, Node(value: member.value, path: node.path.key(key))))
            } else {
                report(node.path.key(key), "the key `\(key)` is there twice", advice: "keep one of them")
            }
        }
        return result
    }

    /// The same of an object that may be missing.
    mutating func optionalMembers(_ node: Node?) -> [(key: String, node: Node)] {
        guard let node else { return [] }
        return members(node)
    }

    /// A list, or a single value for a list of one.
    mutating func list(_ node: Node) -> [Node] {
        guard let elements = node.value.elements else { return [node] }
        return elements.enumerated().map { Node(value: $1, path: node.path.index($0)) }
    }

    mutating func string(_ node: Node, as meaning: String) -> String? {
        if let text = node.value.text, !text.isEmpty { return text }
        let kind = node.value.text == nil ? node.value.kind : "an empty string"
        report(node.path, "\(meaning) is expected here, not \(kind)", advice: "write it as a string")
        return nil
    }

    mutating func strings(_ node: Node, as meaning: String) -> [String] {
        list(node).compactMap { string($0, as: meaning) }
    }

    mutating func bool(_ node: Node) -> Bool? {
        if let value = node.value.bool { return value }
        report(node.path, "true or false is expected here, not \(node.value.kind)")
        return nil
    }

    mutating func integer(_ node: Node, in range: ClosedRange<Int>) -> Int? {
        if let value = node.value.integer, range.contains(value) { return value }
        let limit =
            range.upperBound == .max ? "from \(range.lowerBound) on" : "\(range.lowerBound) to \(range.upperBound)"
        report(node.path, "a whole number is expected here, \(limit)")
        return nil
    }

    mutating func number(_ node: Node, above least: Int, to most: Int) -> Double? {
        if case .number(let spelling) = node.value, let value = Double(spelling), value > Double(least),
            value <= Double(most)
        {
            return value
        }
        report(node.path, "a number is expected here, above \(least) and at most \(most)")
        return nil
    }

    mutating func duration(_ node: Node) -> Duration? {
        if let text = node.value.text, let time = parseDuration(text) { return time }
        report(node.path, "a time is expected here", advice: "write one as \"750ms\", \"1.5s\" or \"2m\"")
        return nil
    }

    /// One of an enumeration's names.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ node: Node, as meaning: String, of type: Choice.Type
    ) -> Choice? where Choice.RawValue == String {
        guard let text = string(node, as: meaning) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        report(
            node.path, "`\(text)` is no \(meaning)",
            advice: suggestion(for: text, among: Choice.allCases.map(\.rawValue)))
        return nil
    }

    /// Reads a text with a function that says what is wrong with it.
    mutating func reading<Value>(
        _ node: Node, as meaning: String, _ read: (String) throws(RuleError) -> Value
    ) -> Value? {
        guard let text = string(node, as: meaning) else { return nil }
        do {
            return try read(text)
        } catch {
            report(node.path, error)
            return nil
        }
    }

    /// Reports a name that flags, URLs or file names could not carry.
    mutating func checkName(_ name: String, of thing: String, at path: JSONPath) {
        let isPlain = name.utf8.allSatisfy { octet in
            (octet | 0x20) >= 0x61 && (octet | 0x20) <= 0x7a || octet >= 0x30 && octet <= 0x39
                || octet == UInt8(ascii: "-") || octet == UInt8(ascii: "_") || octet == UInt8(ascii: ".")
        }
        if name.isEmpty || !isPlain {
            report(
                path, "`\(name)` is no usable \(thing) name", advice: "use letters, digits, hyphen, dot and underscore")
        }
    }
}
