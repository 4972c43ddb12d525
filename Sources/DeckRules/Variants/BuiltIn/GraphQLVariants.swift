import CassetteKit

/// A GraphQL server's ways to fail: status 200 and a list of errors, with no data or with one field of it missing.
let graphQLVariants: [String: VariantDefinition] = [
    "graphqlError": VariantDefinition(
        status: 200, fields: [FieldChange("Cache-Control", ["no-store"])],
        body: .json(
            .object([
                JSONMember("data", .null),
                JSONMember(
                    "errors",
                    .array([
                        .object([
                            JSONMember("message", .text("Something went wrong on the server.")),
                            JSONMember(
                                "extensions", .object([JSONMember("code", .text("INTERNAL_SERVER_ERROR"))])),
                        ])
                    ])),
            ]))),
    "graphqlPartial": VariantDefinition(edits: BodyEdits(spoilsData: true)),
]
