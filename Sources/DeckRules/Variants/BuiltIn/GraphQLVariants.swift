import CassetteKit

/// A GraphQL server's way to fail: status 200, no data, and a list of errors.
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
            ])))
]
