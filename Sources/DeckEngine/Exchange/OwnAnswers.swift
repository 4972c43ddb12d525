import CassetteKit
import DeckRules
import HTTPCore
import SystemIO

extension DeckCore {
    /// The answer that a variant brings, with the file's name filled in from the request where it depends on it.
    func answer(of own: OwnAnswer, _ decision: Decision, _ address: Address, _ method: String) async -> Answer {
        var fields = own.fields
        if !fields.contains("Cache-Control") { fields.append("Cache-Control", "no-store") }
        let head = ResponseHead(
            version: .http11, status: own.status, reason: Bytes(reasonPhrase(own.status).utf8), fields: fields)
        guard let body = own.body else { return Answer(head: head, body: []) }
        if let octets = body.octets { return Answer(head: head, body: octets) }
        guard case .file(let file) = body else { return Answer(head: head, body: []) }
        do {
            let path = try file.path(parameters(decision, address, method))
            return Answer(head: head, body: try await queue.run { try Files.read(path) })
        } catch let error as RuleError {
            return unreadable(decision, "\(error.message): \(error.advice)")
        } catch {
            return unreadable(decision, (error as? SystemError)?.message ?? "the body file can't be read")
        }
    }

    /// What the route's template took from the request.
    private func parameters(_ decision: Decision, _ address: Address, _ method: String) -> [String: String] {
        guard decision.route != nil else { return [:] }
        let table = decision.table
        let match = table.route(method: method, path: Bytes(address.path), query: address.query.map { Bytes($0) })
        return table.parameters(of: match)
    }

    private func unreadable(_ decision: Decision, _ why: String) -> Answer {
        let name = "variant \(decision.variantName) of \(decision.routeName ?? "a request without a route")"
        log(.error, "\(name): \(why)")
        return Answer(Problem(status: 500, label: "body-file", detail: "\(name): \(why)"))
    }

    /// A recorded or live answer with a variant's changes.
    ///
    /// - Parameter name: says in the log whose answer it is.
    func edited(_ answer: Answer, _ edits: AnswerEdits, of name: String) -> Answer {
        var answer = answer
        if let status = edits.status {
            answer.head.status = status
            answer.head.reason = Bytes(reasonPhrase(status).utf8)
        }
        edits.apply(to: &answer.head.fields)
        guard !edits.body.isEmpty else { return answer }
        let changed = withBody(of: answer) { value in
            for pointer in edits.body.apply(to: &value) {
                log(.warning, "\(name): the edit at \(pointer) names nothing in this body")
            }
        }
        if changed == nil {
            log(.warning, "\(name): the body is no JSON, so the variant's edits do not act on it")
        }
        return changed ?? answer
    }

    /// An answer whose JSON body is changed, decoded for good; nil where it is none. What the change leaves keeps its spelling.
    func withBody(of answer: Answer, _ change: (inout JSONValue) -> Void) -> Answer? {
        let coding = answer.head.fields.text("Content-Encoding")
        guard let plain = coding.map({ codecs.decode($0, answer.body) }) ?? answer.body,
            var value = try? JSONText.parse(plain)
        else { return nil }
        let layout = JSONLayout.of(plain, value: value) ?? .compact
        change(&value)
        var answer = answer
        answer.body = JSONText.write(value, layout: layout)
        answer.head.fields.remove("Content-Encoding")
        if case .length = answer.framing { answer.framing = .length(answer.body.count) }
        return answer
    }
}
