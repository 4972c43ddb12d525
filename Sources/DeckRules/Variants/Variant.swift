/// A named behavior of a route, all its definitions laid over each other.
package struct Variant: Sendable {
    package var name: String
    package var answer: VariantAnswer
    /// How much of the answer a fault that cuts it lets through.
    package var sends: AnswerPart
    /// The delay before the first byte; nil for the session's.
    package var latency: LatencyModel?
    /// The body's rate; nil for the session's.
    package var bandwidth: Bandwidth?
    /// When it acts.
    package var plan: FaultPlan

    /// Makes a variant of a definition.
    package init(name: String, _ definition: VariantDefinition) {
        self.name = name
        sends = definition.sends ?? .half
        latency = definition.latency
        bandwidth = definition.bandwidth
        plan = FaultPlan(definition.plan)
        let bringsAnswer = definition.body != nil || (definition.status != nil && definition.edits == nil)
        let own = bringsAnswer ? OwnAnswer(definition) : nil
        if let fault = definition.fault {
            answer = .fault(fault, own: own)
        } else if let own {
            answer = .own(own)
        } else {
            let edits = definition.edits ?? BodyEdits()
            answer = .recorded(AnswerEdits(status: definition.status, fields: definition.fields, body: edits))
        }
    }

    /// Whether it is a fault of the TLS handshake.
    package var isInHandshake: Bool { answer.fault?.details.needsTLS == true }

    /// The recorded answer, at once and unchanged.
    package static let recorded = Variant(name: "default", VariantDefinition())
}

/// What a variant answers with.
package enum VariantAnswer: Sendable {
    /// The recorded answer (while recording and in passthrough the live one), changed by edits that may be empty.
    case recorded(AnswerEdits)
    /// An answer that needs no interaction and no upstream.
    case own(OwnAnswer)
    /// A failure on the wire. `own` is the answer that it breaks where the variant brings one; nil for the recorded one, or
    /// where the fault shows nothing of an answer.
    case fault(FaultKind, own: OwnAnswer?)

    /// The fault, where it is one.
    package var fault: FaultKind? {
        if case .fault(let kind, _) = self { kind } else { nil }
    }
}
