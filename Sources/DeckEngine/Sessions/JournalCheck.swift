import CassetteKit
import ControlAPI
import HTTPCore

/// A statement about a session's exchanges, checked against its journal.
struct JournalCheck {
    private static let filterKeys: Set<String> = ["route", "method", "path", "status", "outcome"]
    private static let expectations: Set<String> = ["calls", "atLeast", "atMost", "never", "lastBody", "order"]

    private var filter = JournalFilter()
    private var least: Int?
    private var most: Int?
    private var lastBody: JSONValue?
    private var order: [JournalFilter] = []

    /// Reads the body of `POST /assertions`.
    ///
    /// - Throws: `Refusal` for what is no assertion.
    init(_ octets: Bytes) throws(Refusal) {
        guard let document = try? JSONText.parse(octets), document.members != nil else {
            throw Self.refusal("The body is no JSON object.")
        }
        filter = try Self.filter(document, also: Self.expectations)
        if let calls = try Self.count("calls", document) { (least, most) = (calls, calls) }
        least = try Self.count("atLeast", document) ?? least
        most = try Self.count("atMost", document) ?? most
        if try Self.truth("never", document) { most = 0 }
        lastBody = document["lastBody"]
        if let list = document["order"], list != .null {
            guard let elements = list.elements, elements.count > 1 else {
                throw Self.refusal("\"order\" is no list of two filters or more.")
            }
            for element in elements { order.append(try Self.filter(element)) }
        } else if least == nil, most == nil, lastBody == nil {
            least = 1
        }
    }

    private static func refusal(_ detail: String) -> Refusal {
        Refusal(
            400, "assertion", detail,
            "Send route, method, path, status or outcome, with calls, atLeast, atMost, never or lastBody; or order.")
    }

    private static func filter(_ value: JSONValue, also others: Set<String> = []) throws(Refusal) -> JournalFilter {
        guard let members = value.members else { throw refusal("A filter is no object.") }
        for member in members where !filterKeys.contains(member.key.text) && !others.contains(member.key.text) {
            throw refusal("The member \(member.key.text) is not known.")
        }
        var texts: [String: String] = [:]
        for key in ["route", "method", "path", "outcome"] {
            guard let member = value[key], member != .null else { continue }
            guard let text = member.text else { throw refusal("\"\(key)\" is no string.") }
            texts[key] = text
        }
        if let word = texts["outcome"], !Outcome.words.contains(word) {
            throw refusal("\"outcome\" is none of \(Outcome.words.joined(separator: ", ")).")
        }
        return JournalFilter(
            route: texts["route"], method: texts["method"], path: texts["path"], status: try count("status", value),
            outcome: texts["outcome"])
    }

    private static func count(_ key: String, _ value: JSONValue) throws(Refusal) -> Int? {
        guard let member = value[key], member != .null else { return nil }
        var whole: Int?
        // 2.0 is a whole number, too (JSON Schema 2020-12, §6.1.1 of the validation vocabulary).
        if case .number(let spelling) = member {
            whole = Int(spelling) ?? Double(spelling).flatMap { Int(exactly: $0) }
        }
        guard let count = whole, (0...ControlParameter.largestNumber).contains(count) else {
            throw refusal("\"\(key)\" is no number from 0 to \(ControlParameter.largestNumber).")
        }
        return count
    }

    private static func truth(_ key: String, _ value: JSONValue) throws(Refusal) -> Bool {
        guard let member = value[key], member != .null else { return false }
        guard let truth = member.bool else { throw refusal("\"\(key)\" is neither true nor false.") }
        return truth
    }

    /// Checks the statement.
    func check(_ core: DeckCore) -> AssertionResult {
        let journal = core.session.journal
        let entries = journal.entries.filter { $0.outcome.word != "control" }
        let taken = entries.filter(filter.takes)
        var result = AssertionResult(passed: true, calls: taken.count, explanation: [])
        if !order.isEmpty { checkOrder(entries, &result) }
        checkCount(taken.count, &result)
        if let lastBody { check(lastBody, taken.last, core, &result) }
        if !result.passed {
            if taken.isEmpty { result.explanation += Self.near(filter, entries) }
            if journal.total > entries.count + journal.count("control") {
                result.explanation.append("the journal keeps the last \(entries.count) exchanges of \(journal.total)")
            }
        }
        return result
    }

    private func checkCount(_ count: Int, _ result: inout AssertionResult) {
        let found = "\(filter.words): \(count) \(count == 1 ? "call" : "calls")"
        if let least, count < least {
            result.passed = false
            result.explanation.append("\(found), expected \(least == most ? "" : "at least ")\(least)")
        } else if let most, count > most {
            result.passed = false
            result.explanation.append(
                "\(found), expected \(most == 0 ? "none" : least == most ? "\(most)" : "at most \(most)")")
        } else if least != nil || most != nil {
            result.explanation.append(found)
        }
    }

    /// Each filter takes an exchange after the one that the filter before it took.
    private func checkOrder(_ entries: [JournalEntry], _ result: inout AssertionResult) {
        var rest = entries[...]
        for (number, filter) in order.enumerated() {
            guard let index = rest.firstIndex(where: filter.takes) else {
                result.passed = false
                let isEarlier = entries.contains(where: filter.takes)
                result.explanation.append(
                    "order, step \(number + 1): \(filter.words) \(isEarlier ? "came only before the step before it" : "never came")"
                )
                if !isEarlier { result.explanation += Self.near(filter, entries) }
                return
            }
            result.explanation.append("order, step \(number + 1): exchange \(rest[index].number)")
            rest = rest[(index + 1)...]
        }
    }

    private func check(
        _ expected: JSONValue, _ last: JournalEntry?, _ core: DeckCore, _ result: inout AssertionResult
    ) {
        guard let last else {
            result.passed = false
            result.explanation.append("\(filter.words): no call, so there is no last body")
            return
        }
        let body = last.request?.body ?? []
        let wanted = JSONText.write(expected, layout: .compact)
        let text = expected.text.map { Bytes($0.utf8) }
        let isEqual =
            text == body || JSONEquality.areEqual(body, wanted) || text.map { JSONEquality.areEqual(body, $0) } ?? false
        guard !isEqual else { return result.explanation.append("last body of exchange \(last.number): as expected") }
        result.passed = false
        let shown =
            last.request.flatMap(core.shownBody) ?? (body.isEmpty ? "none" : "\(body.count) octets that are no text")
        result.explanation.append("last body of exchange \(last.number) differs: \(shown)")
    }

    /// The last exchanges that the filter would take but for one thing.
    private static func near(_ filter: JournalFilter, _ entries: [JournalEntry]) -> [String] {
        var looser: [JournalFilter] = []
        for change in [\JournalFilter.route, \.method, \.path, \.outcome] where filter[keyPath: change] != nil {
            var copy = filter
            copy[keyPath: change] = nil
            looser.append(copy)
        }
        if filter.status != nil {
            var copy = filter
            copy.status = nil
            looser.append(copy)
        }
        let near = entries.reversed().filter { entry in looser.contains { $0.takes(entry) } }.prefix(3)
        return near.map {
            "near: exchange \($0.number), \($0.method) \($0.target), status \($0.status), \($0.outcome.word)"
        }
    }
}
