/// What one place (the program, the top-level `"variants"`, a route) says about a variant; nil where it says nothing.
///
/// A variant is made of the definitions of its name laid over each other: a route's over the top-level one over the
/// built-in one.
package struct VariantDefinition: Sendable {
    /// 200...999.
    package var status: Int?
    package var fields: [FieldChange] = []
    package var body: OwnBody?
    package var edits: BodyEdits?
    package var fault: FaultKind?
    /// How much of the answer a fault that cuts it lets through; `half` where nothing says so.
    package var sends: AnswerPart?
    package var latency: LatencyModel?
    package var bandwidth: Bandwidth?
    package var plan = PlanDefinition()

    package init(
        status: Int? = nil, fields: [FieldChange] = [], body: OwnBody? = nil, edits: BodyEdits? = nil,
        fault: FaultKind? = nil, sends: AnswerPart? = nil, latency: LatencyModel? = nil, bandwidth: Bandwidth? = nil,
        plan: PlanDefinition = PlanDefinition()
    ) {
        self.status = status
        self.fields = fields
        self.body = body
        self.edits = edits
        self.fault = fault
        self.sends = sends
        self.latency = latency
        self.bandwidth = bandwidth
        self.plan = plan
    }

    /// Lays a definition over this one. What it says holds, and what excludes it below is dropped: a body drops edits and
    /// edits a body, a fault that shows nothing of an answer drops the answer, and an answer such a fault.
    package mutating func lay(_ upper: VariantDefinition) {
        let answers = upper.status != nil || upper.body != nil || upper.edits != nil
        if answers, upper.fault == nil, fault?.details.shows != .answer { fault = nil }
        if let status = upper.status { self.status = status }
        if let body = upper.body { (self.body, edits) = (body, nil) }
        if let edits = upper.edits { (self.edits, body, fault) = (edits, nil, nil) }
        for change in upper.fields {
            fields.removeAll { $0.isNamed(change.name) }
            fields.append(change)
        }
        if let fault = upper.fault {
            self.fault = fault
            edits = nil
            sends = nil
            if fault.details.shows != .answer { (status, body, fields) = (nil, nil, []) }
        }
        sends = upper.sends ?? sends
        latency = upper.latency ?? latency
        bandwidth = upper.bandwidth ?? bandwidth
        plan.lay(upper.plan)
    }

    /// Says what cannot stand together within one definition.
    package func contradiction() -> RuleError? {
        if body != nil, edits != nil {
            return RuleError("it has a body of its own and edits of the recorded one", advice: "keep one of them")
        }
        guard let fault else { return nil }
        if sends != nil, !fault.details.cutsAnswer {
            return RuleError(
                "the fault `\(fault.rawValue)` cuts no answer, but `sends` is set",
                advice: "use stall, truncatedBody or connectionReset, or leave it out")
        }
        if edits != nil {
            return RuleError(
                "it has the fault `\(fault.rawValue)` and edits of the recorded body", advice: "keep one of them")
        }
        if fault.details.shows == .answer, !fields.isEmpty, status == nil, body == nil {
            return RuleError(
                "it has headers, but no answer of its own that the fault `\(fault.rawValue)` breaks",
                advice: "add status or body, or leave the headers out")
        }
        if fault.details.shows != .answer, status != nil || body != nil || !fields.isEmpty {
            return RuleError(
                "the fault `\(fault.rawValue)` shows nothing of an answer, but status, headers or body are set",
                advice: "leave them out, or the fault")
        }
        return nil
    }
}

/// A change of one header field: its lines are replaced by these, or removed where there are none.
package struct FieldChange: Sendable, Equatable {
    package var name: String
    package var values: [String]

    package init(_ name: String, _ values: [String]) {
        self.name = name
        self.values = values
    }

    /// Compares without the case of letters.
    package func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }
}

extension VariantDefinition {
    /// Whether it answers by itself, without an interaction or an upstream.
    var bringsAnswer: Bool { fault == nil && (body != nil || (status != nil && edits == nil)) }

    /// Whether it says only when and how fast an answer comes, not which.
    var saysNothingOfAnswer: Bool {
        status == nil && fields.isEmpty && body == nil && edits == nil && fault == nil
            && (latency != nil || bandwidth != nil)
    }
}
