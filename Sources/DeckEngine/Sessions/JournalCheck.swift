import CassetteKit
import ControlAPI
import HTTPCore

/// A statement about a session's exchanges, checked against its journal.
struct JournalCheck {
    private static let keys: Set<String> = [
        "route", "method", "path", "status", "outcome", "calls", "atLeast", "atMost", "never", "lastBody", "order",
    ]

    private var filter = JournalFilter()
    private var least: Int?
    private var most: Int?
    private var lastBody: JSONValue?
    private var order: [JournalFilter] = []

    /// Reads the body of `POST /assertions`.
    ///
    /// - Throws: `Refusal` for what is no assertion.
    init(_ octets: Bytes) throws(Refusal) {
        guard let document = try? JSONText.parse(octets), let members = document.members else {
            throw Self.refusal("The body is no JSON object.")
        }
        for member in members where !Self.keys.contains(member.key.text) {
            throw Self.refusal("The member \(member.key.text) is not known.")
        }
        filter = try Self.filter(document)
        if let calls = try Self.count("calls", document) { (least, most) = (calls, calls) }
        least = try Self.count("atLeast", document) ?? least
        most = try Self.count("atMost", document) ?? most
        if document["never"]?.bool == true { most = 0 }
        lastBody = document["lastBody"]
        if let list = document["order"] {
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

    private static func filter(_ value: JSONValue) throws(Refusal) -> JournalFilter {
        guard value.members != nil else { throw refusal("A filter is no object.") }
        var texts: [String: String] = [:]
        for key in ["route", "method", "path", "outcome"] {
            guard let member = value[key] else { continue }
            guard let text = member.text else { throw refusal("\"\(key)\" is no string.") }
            texts[key] = text
        }
        return JournalFilter(
            route: texts["route"], method: texts["method"], path: texts["path"], status: try count("status", value),
            outcome: texts["outcome"])
    }

    private static func count(_ key: String, _ value: JSONValue) throws(Refusal) -> Int? {
        guard let member = value[key] else { return nil }
        guard let count = member.integer, count >= 0 else { throw refusal("\"\(key)\" is no number from 0 on.") }
        return count
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
