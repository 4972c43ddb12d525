import CassetteKit
import HTTPCore
import SystemIO
import TapedeckClient

/// What the demo's client does, step by step, as an app would: what it was given it uses further on.
struct DemoFlow: Sendable {
    /// One step's name and request.
    struct Step: Sendable {
        let title: String
        let method: String
        let target: String
        var document: String?

        /// The step that the demo breaks on purpose.
        static let projects = Step(title: "list projects", method: "GET", target: "/api/projects")
    }

    /// What a step got, and how long that took.
    struct Visit: Sendable {
        let step: Step
        let response: WireResponse
        let elapsed: Duration
    }

    /// What the client holds once it is signed in.
    struct Credentials: Sendable, Equatable {
        var accessToken: String
        var cookie: String
    }

    private let client: WireClient
    private let password: String

    /// - Parameters:
    ///   - proxy: the port on which the deck takes requests.
    ///   - password: what the user types.
    init(client: WireClient, password: String) {
        self.client = client
        self.password = password
    }

    /// Takes all steps.
    ///
    /// - Parameter visited: called after each step.
    /// - Throws: `DemoFailure` at the first step that got no answer with status 200.
    func run(_ visited: (Visit) -> Void) async throws(DemoFailure) -> (visits: [Visit], credentials: Credentials) {
        let login = Step(
            title: "sign in", method: "POST", target: "/login",
            document: #"{"user":"ada","password":"\#(password)"}"#)
        let first = try await take(login, nil)
        visited(first)
        var visits = [first]
        let credentials = try credentials(in: first.response)
        for step in DemoFlow.stepsAfterLogin {
            let visit = try await take(step, credentials)
            visited(visit)
            visits.append(visit)
        }
        return (visits, credentials)
    }

    /// Sends one step's request and gives what came, or how it failed.
    func attempt(
        _ step: Step, _ credentials: Credentials?, within limit: Duration
    ) async -> (outcome: Result<WireResponse, WireError>, elapsed: Duration) {
        let client = WireClient(host: client.host, port: client.port, timeout: limit)
        let start = Monotonic.nanoseconds()
        let outcome = await client.outcome(of: request(step, credentials))
        return (outcome, .nanoseconds(Int64(Monotonic.nanoseconds() - start)))
    }

    private static let stepsAfterLogin = [
        Step.projects,
        Step(title: "open a project", method: "GET", target: "/api/projects/7"),
        Step(title: "its open tasks", method: "GET", target: "/api/projects/7/tasks?state=open"),
        Step(
            title: "who am I", method: "POST", target: "/graphql",
            document: #"{"operationName":"Viewer","query":"\#(DemoDocuments.query)","variables":{}}"#),
        Step(title: "the logo", method: "GET", target: "/images/logo.png"),
        Step(title: "a slow report", method: "GET", target: "/api/projects/7/report"),
    ]

    private func take(_ step: Step, _ credentials: Credentials?) async throws(DemoFailure) -> Visit {
        let (outcome, elapsed) = await attempt(step, credentials, within: client.timeout)
        switch outcome {
        case .success(let response) where response.head.status == 200:
            return Visit(step: step, response: response, elapsed: elapsed)
        case .success(let response):
            throw DemoFailure(step.title, "\(step.method) \(step.target) got status \(response.head.status)")
        case .failure(let error):
            throw DemoFailure(step.title, "\(step.method) \(step.target): \(error.description)")
        }
    }

    private func request(_ step: Step, _ credentials: Credentials?) -> WireRequest {
        var fields = Fields([("User-Agent", "tapedeck-demo"), ("Accept", "*/*"), ("Accept-Encoding", "gzip")])
        if let credentials {
            fields.append("Authorization", "Bearer \(credentials.accessToken)")
            fields.append("Cookie", credentials.cookie)
        }
        if step.document != nil {
            fields.append("Content-Type", "application/json")
        }
        return WireRequest(step.method, step.target, fields: fields, body: step.document.map { Bytes($0.utf8) })
    }

    private func credentials(in response: WireResponse) throws(DemoFailure) -> Credentials {
        let document = try? JSONText.parse(response.body)
        guard let token = document?["access_token"]?.text,
            let cookie = response.head.fields.text("Set-Cookie")?.split(separator: ";").first
        else {
            throw DemoFailure("sign in", "the answer has no access_token or sets no cookie")
        }
        return Credentials(accessToken: token, cookie: String(cookie))
    }
}
