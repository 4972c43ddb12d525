import CassetteKit
import ControlAPI
import HTTPCore
import SystemIO

extension JournalFilter {
    /// Whether the filter takes an exchange.
    func takes(_ entry: JournalEntry) -> Bool {
        if let route, entry.route != route { return false }
        if let method, entry.method.uppercased() != method.uppercased() { return false }
        if let status, entry.status != status { return false }
        if let outcome, entry.outcome.word != outcome { return false }
        guard let path else { return true }
        let asked = entry.target.prefix { $0 != "?" }
        return path.hasSuffix("*") ? asked.hasPrefix(path.dropLast()) : asked == path
    }

    /// The filter in words: `GET /items, status 200`.
    var words: String {
        var words: [String] = []
        if let route { words.append("route \(route)") }
        if method != nil || path != nil { words.append("\(method ?? "any method") \(path ?? "any path")") }
        if let status { words.append("status \(status)") }
        if let outcome { words.append("outcome \(outcome)") }
        return words.isEmpty ? "any exchange" : words.joined(separator: ", ")
    }
}

extension DeckCore {
    /// The session's journal as the control API gives it.
    ///
    /// - Parameters:
    ///   - after: only exchanges with a higher number.
    ///   - limit: at most so many, the newest.
    func journalPage(_ filter: JournalFilter, after: Int, limit: Int) -> JournalPage {
        let journal = session.journal
        let entries = journal.entries.filter { $0.number > after && filter.takes($0) }.suffix(limit)
        return JournalPage(
            session: session.name, total: journal.total, counts: journal.counts, entries: entries.map(record))
    }

    private func record(_ entry: JournalEntry) -> JournalRecord {
        var interaction: String?
        if case .hit(let file) = entry.outcome { interaction = file }
        return JournalRecord(
            number: entry.number, time: Timestamp(milliseconds: entry.time).full, method: entry.method,
            target: shownAgain(entry.target), route: entry.route, near: entry.near, variant: entry.variant,
            status: entry.status,
            outcome: entry.outcome.word, interaction: interaction, octets: entry.octets,
            duration: entry.duration.inSeconds, body: entry.request.flatMap(shownBody), client: entry.client,
            requestOctets: entry.requestOctets, received: entry.received?.inSeconds, waited: entry.waited?.inSeconds)
    }

    /// A target without the secrets that became known since it was noted.
    private func shownAgain(_ target: String) -> String { recorder == nil ? target : shown(Bytes(target.utf8)) }

    /// A request's body as the cassette would have it, as text; nil for none and for one that is no text.
    func shownBody(_ request: RawRequest) -> String? {
        guard let body = request.body, !body.isEmpty else { return nil }
        let clean =
            recorder?.shown(body: request) ?? sanitizer.request(request, ledger: SecretLedger()).message.body ?? []
        return String(validating: clean.prefix(4_096), as: UTF8.self)
    }
}

extension Duration {
    /// The time in seconds.
    fileprivate var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
