/// The server failed, in words of HTTP.
let serverFailureVariants: [String: VariantDefinition] = [
    "serverError": errorAnswer(500, "internal_error", "Something went wrong on the server."),
    "badGateway": errorAnswer(502, "bad_gateway", "The server got no usable answer from another one."),
    "unavailable": errorAnswer(503, "unavailable", "The server is down for a while."),
]
