package import HTTPCore

/// Changes of an answer that comes from the cassette or the upstream.
package struct AnswerEdits: Sendable {
    package var status: Int?
    package var fields: [FieldChange] = []
    package var body = BodyEdits()

    package init(status: Int? = nil, fields: [FieldChange] = [], body: BodyEdits = BodyEdits()) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Whether the answer goes out as it is.
    package var isEmpty: Bool { status == nil && fields.isEmpty && body.isEmpty }

    /// Makes the changes of the head's fields.
    package func apply(to fields: inout Fields) {
        for change in self.fields {
            let old = fields
            fields = old.filtered { !change.isNamed(String(decoding: old.name(at: $0), as: UTF8.self)) }
            for value in change.values { fields.append(change.name, value) }
        }
    }
}
