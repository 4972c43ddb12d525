/// Places whose values change with every recording and mean nothing: a difference there alone rewrites no file.
package struct VolatileRules: Sendable, Equatable {
    /// Names of fields, without regard to case.
    package var fields: [String]
    /// Names of query items, in URLs wherever they stand.
    package var queryItems: [String]
    /// JSON pointers into bodies, `*` for any member or element.
    package var pointers: [String]

    /// - Parameters: what the configuration adds to the defaults.
    package init(fields: [String] = [], queryItems: [String] = [], pointers: [String] = []) {
        self.fields = Self.defaultFields + fields.map { $0.lowercased() }
        self.queryItems = Self.defaultQueryItems + queryItems
        self.pointers = pointers
    }

    /// Dates of sending, ids of requests and traces, measured times.
    private static let defaultFields = [
        "date", "age", "expires", "server-timing", "x-request-id", "request-id", "x-correlation-id", "correlation-id",
        "x-trace-id", "trace-id", "traceparent", "tracestate", "x-b3-traceid", "x-b3-spanid", "x-b3-parentspanid", "b3",
        "x-amzn-trace-id", "x-amzn-requestid", "x-amz-request-id", "x-amz-id-2", "x-amz-cf-id", "x-amz-apigw-id",
        "x-cloud-trace-context", "x-goog-request-id", "x-ms-request-id", "x-ms-correlation-request-id", "cf-ray",
        "x-github-request-id", "x-vercel-id", "fly-request-id", "x-datadog-trace-id", "x-datadog-parent-id",
        "sentry-trace", "baggage", "x-runtime", "x-response-time", "x-timer", "x-envoy-upstream-service-time",
    ]

    /// What presigned URLs change with every signing.
    private static let defaultQueryItems = [
        "X-Amz-Date", "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "X-Goog-Date", "X-Goog-Signature",
        "X-Goog-Credential", "Expires", "Signature", "se", "st", "sig",
    ]
}
