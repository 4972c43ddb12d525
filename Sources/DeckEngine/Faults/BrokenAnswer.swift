package import DeckRules
package import HTTPCore

/// An answer that a fault is about to cut or spoil, and how much of it may go out.
package struct BrokenAnswer: Sendable {
    package var answer: Answer
    /// What the client sees of it, where the fault cuts.
    package var sends: AnswerPart

    package init(_ answer: Answer, sends: AnswerPart = .half) {
        self.answer = answer
        self.sends = sends
    }

    /// The octets that go out before the cut, under the whole body's Content-Length.
    ///
    /// An answer that has no body whatever its head says (to HEAD, 204, 304: RFC 9112 §6.3) would be whole with its head,
    /// so nothing of it goes out; a body of no octets is announced as longer than it is.
    ///
    /// - Parameter method: the request's.
    package func octets(for method: String) -> Bytes {
        let hasNoBody = method == "HEAD" || answer.head.status == 204 || answer.head.status == 304
        guard sends != .nothing, !hasNoBody else { return [] }
        var head = answer.head
        head.version = .http11
        head.fields.remove("Transfer-Encoding")
        head.fields.set("Content-Length", String(max(2, answer.body.count)))
        head.fields.set("Connection", "close")
        return Serializer.responseHead(head) + part
    }

    private var part: Bytes {
        switch sends {
        case .nothing, .head: []
        case .half: answer.firstHalf
        case .allButEnd: answer.body.count < 2 ? answer.firstHalf : answer.body.dropLast()
        }
    }
}
