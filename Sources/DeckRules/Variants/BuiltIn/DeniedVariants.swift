import CassetteKit

/// The client asked for what it may not have. The challenge is always Bearer: a Basic one makes URLSession ask its delegate
/// for a password, and on Linux never come back.
let deniedVariants: [String: VariantDefinition] = [
    "unauthorized": unauthorized,
    "tokenExpired": {
        var definition = unauthorized
        definition.plan = PlanDefinition(times: 1, isSharedByStar: true)
        return definition
    }(),
    "forbidden": errorAnswer(403, "forbidden", "You may not do this."),
    "notFound": errorAnswer(404, "not_found", "There is nothing here."),
    "tooManyRequests": errorAnswer(
        429, "too_many_requests", "Try again later.", fields: [FieldChange("Retry-After", ["1"])]),
]

private let unauthorized = errorAnswer(
    401, "invalid_token", "The access token is missing, malformed or expired.",
    fields: [FieldChange("WWW-Authenticate", ["Bearer realm=\"tapedeck\", error=\"invalid_token\""])])

/// An answer with a JSON error body that no client may cache: the scenario may be another one on the next request.
func errorAnswer(
    _ status: Int, _ code: String, _ message: String, fields: [FieldChange] = []
) -> VariantDefinition {
    VariantDefinition(
        status: status, fields: fields + [FieldChange("Cache-Control", ["no-store"])],
        body: .json(.object([JSONMember("error", .text(code)), JSONMember("message", .text(message))])))
}
