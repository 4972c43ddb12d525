package import HTTPCore

/// An answer of a variant's own.
package struct OwnAnswer: Sendable {
    /// 200...999.
    package var status: Int
    /// All fields but those of the framing, which is the sender's matter.
    package var fields: Fields
    /// Nil for no body.
    package var body: OwnBody?

    package init(status: Int, fields: Fields, body: OwnBody?) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The answer part of a definition: status 200 and the body's media type where it does not say otherwise.
    init(_ definition: VariantDefinition) {
        status = definition.status ?? 200
        body = definition.body
        fields = Fields()
        if let type = body?.mediaType, !definition.fields.contains(where: { $0.isNamed("Content-Type") }) {
            fields.append("Content-Type", type)
        }
        for change in definition.fields {
            for value in change.values { fields.append(change.name, value) }
        }
    }
}
