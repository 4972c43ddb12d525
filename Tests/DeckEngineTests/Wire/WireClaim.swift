import HTTPCore
import TestSupport

/// One thing that must hold of an answer, or of what went upstream for it.
enum WireClaim: Sendable {
    /// One of these.
    case status([Int])
    case body(Bytes)
    /// The octets behind the head of the upstream's answer.
    case sameBody
    case bodyHas(String)
    case bodyHasNot(String)
    case has(String)
    case lacks(String)
    /// A line of the head, octet for octet; those of one exchange stand in the head in their order.
    case line(Bytes)
    case trailer(String)
    case cookies(Int)
    case interim(Int)
    case lengthNot(Int)
    /// This many fields of the upstream's answer, or one of these statuses.
    case whole(Int, or: Int)
    /// No whole answer, or one of these statuses.
    case incomplete([Int])
    /// The deck ends the connection after the answer.
    case closed
    /// Milliseconds from the request to the end of the answer.
    case takes(ClosedRange<Int>)
    case sent(String)
    case sendsNot(String)
    case sentBody(Bytes)
    case nothing

    init?(_ text: String) {
        let word = String(text.prefix { $0 != " " })
        let rest = String(text.dropFirst(word.count + 1))
        let numbers = rest.split(separator: " ").compactMap { Int($0) }
        switch word {
        case "status": self = .status(numbers)
        case "body": self = rest == "same" ? .sameBody : .body(WireText.octets(rest))
        case "body-has": self = .bodyHas(rest)
        case "body-not": self = .bodyHasNot(rest)
        case "has": self = .has(rest)
        case "lacks": self = .lacks(rest)
        case "line": self = .line(WireText.octets(rest))
        case "trailer": self = .trailer(rest)
        case "cookies": self = .cookies(numbers.first ?? 0)
        case "interim": self = .interim(numbers.first ?? 0)
        case "length-not": self = .lengthNot(numbers.first ?? 0)
        case "whole": self = .whole(numbers.first ?? 0, or: numbers.last ?? 0)
        case "incomplete": self = .incomplete(numbers)
        case "closed": self = .closed
        case "takes": self = .takes((numbers.first ?? 0)...max(numbers.first ?? 0, numbers.last ?? 0))
        case "sent": self = .sent(rest)
        case "sends-not": self = .sendsNot(rest)
        case "sent-body": self = .sentBody(WireText.octets(rest))
        default: return nil
        }
    }
}

/// What came of one exchange.
struct WireOutcome {
    var interim: [Int] = []
    /// Nil where no whole answer came.
    var answer: RawClient.Response?
    var isClosed = false
    var milliseconds = 0
    /// What the upstream read for it; nil in a replay.
    var sent: Bytes?

    /// What does not hold of it; nil if the claim does.
    func objection(to claim: WireClaim, _ exchange: WireFixture.Exchange) -> String? {
        if let objection = upstreamObjection(to: claim) { return objection }
        switch claim {
        case .sent, .sendsNot, .sentBody, .nothing:
            return nil
        case .incomplete(let statuses):
            guard let answer, !statuses.contains(answer.status) else { return nil }
            return "a whole answer with \(answer.status)"
        default:
            guard let answer else { return "no whole answer" }
            return answerObjection(to: claim, answer, exchange)
        }
    }

    private func upstreamObjection(to claim: WireClaim) -> String? {
        let text = String(decoding: sent ?? [], as: UTF8.self)
        switch claim {
        case .sent(let line):
            let isThere = text.split(separator: "\r\n", omittingEmptySubsequences: false).contains { line == $0 }
            return isThere ? nil : "not sent: \(line) in \(text.prefix(400))"
        case .sendsNot(let word):
            return text.lowercased().contains(word.lowercased()) ? "sent: \(word)" : nil
        case .sentBody(let body):
            return sentBody == body ? nil : "sent another body: \(sentBody.count) octets"
        default:
            return nil
        }
    }

    /// The body that went upstream, without chunks.
    private var sentBody: Bytes {
        let text = sent ?? []
        let mark: Bytes = [13, 10, 13, 10]
        guard let end = text.indices.first(where: { text[$0...].starts(with: mark) }) else { return [] }
        let body = Bytes(text[(end + 4)...])
        guard String(decoding: text[..<end], as: UTF8.self).lowercased().contains("transfer-encoding: chunked") else {
            return body
        }
        var rest = body[...]
        var whole = Bytes()
        while let line = rest.firstIndex(of: 10) {
            let size = Int(String(decoding: rest[..<(line - 1)], as: UTF8.self), radix: 16) ?? 0
            if size == 0 { break }
            whole += rest[(line + 1)...].prefix(size)
            rest = rest[(line + 1)...].dropFirst(size + 2)
        }
        return whole
    }

    private func answerObjection(
        to claim: WireClaim, _ answer: RawClient.Response, _ exchange: WireFixture.Exchange
    ) -> String? {
        let lines = answer.lines
        switch claim {
        case .status(let allowed): return allowed.contains(answer.status) ? nil : "status \(answer.status)"
        case .body(let body): return answer.body == body ? nil : "body '\(answer.text.prefix(200))'"
        case .sameBody: return answer.body == exchange.answerBody ? nil : "another body, \(answer.body.count) octets"
        case .bodyHas(let word): return answer.text.contains(word) ? nil : "body '\(answer.text.prefix(200))'"
        case .bodyHasNot(let word): return answer.text.contains(word) ? "the body holds it" : nil
        case .has(let field):
            let isThere = lines.contains { trimmed($0) == trimmed(Bytes(field.utf8)) }
            return isThere ? nil : "not among \(answer.head.prefix(400))"
        case .lacks(let name):
            let start = Bytes("\(name.lowercased()):".utf8)
            return lines.contains { lower($0).starts(with: start) } ? "there is one" : nil
        case .line(let line): return lines.contains(line) ? nil : "not among \(answer.head.prefix(400))"
        case .trailer(let line): return answer.trailers.contains(line) ? nil : "trailers \(answer.trailers)"
        case .cookies(let count):
            let found = lines.filter { lower($0).starts(with: Bytes("set-cookie:".utf8)) }.count
            return found == count ? nil : "\(found) lines"
        case .interim(let status): return interim.contains(status) ? nil : "interim \(interim)"
        case .lengthNot(let length): return answer.field("Content-Length") == String(length) ? "it has" : nil
        case .whole(let count, let status):
            let found = lines.filter { $0.starts(with: Bytes("X-N".utf8)) }.count
            return answer.status == status || found == count ? nil : "\(answer.status) with \(found) of \(count) fields"
        case .closed: return isClosed ? nil : "the connection stays open"
        case .takes(let range): return range.contains(milliseconds) ? nil : "\(milliseconds) ms"
        case .incomplete, .sent, .sendsNot, .sentBody, .nothing: return nil
        }
    }

    private func lower(_ octets: Bytes) -> Bytes { octets.map { (65...90).contains($0) ? $0 + 32 : $0 } }

    private func trimmed(_ octets: Bytes) -> Bytes {
        Bytes(octets.reversed().drop { $0 == 32 }.reversed())
    }
}
