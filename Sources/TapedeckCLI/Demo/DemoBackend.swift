import CassetteKit
import Codecs
import HTTPCore

/// The demo's backend: a small server for project work, as a function from requests to answers.
struct DemoBackend: Sendable {
    /// What it sends, and after how long.
    struct Answer: Sendable, Equatable {
        var head: ResponseHead
        var body: Bytes
        var delay: Duration = .zero
    }

    /// The host that recordings name in place of an address with a port that changes.
    static let host = "demo.example"
    static let url = "http://\(host)"
    /// How long the one slow answer takes.
    static let slowness = Duration.milliseconds(400)

    let secrets: DemoSecrets

    /// - Parameter date: the value of the Date field (RFC 9110 §6.6.1).
    func answer(to head: RequestHead, body: Bytes, date: String) -> Answer {
        var answer = route(head, body)
        answer.head.fields.append("Date", date)
        answer.head.fields.append("Server", "demo")
        return answer
    }

    private func route(_ head: RequestHead, _ body: Bytes) -> Answer {
        let target = String(decoding: head.target, as: UTF8.self)
        switch (head.method, target) {
        case ("POST", "/login"): return login(body)
        case ("GET", "/images/logo.png"): return octets(DemoBackend.logo, "image/png")
        default: break
        }
        guard isSignedIn(head) else {
            return json(401, #"{"error":"sign in first"}"#, [("WWW-Authenticate", "Bearer realm=\"demo\"")])
        }
        switch (head.method, target) {
        case ("GET", "/api/projects"):
            return gzip(json(200, DemoDocuments.projects))
        case ("GET", "/api/projects/7"):
            return json(200, DemoDocuments.project, [("ETag", "\"p7-12\"")])
        case ("GET", "/api/projects/7/tasks?state=open"):
            return json(200, DemoDocuments.tasks)
        case ("GET", "/api/projects/7/report"):
            var answer = json(200, DemoDocuments.report)
            answer.delay = DemoBackend.slowness
            return answer
        case ("POST", "/graphql"):
            return json(200, DemoDocuments.viewer)
        default:
            return json(404, #"{"error":"there is no such thing"}"#)
        }
    }

    private func login(_ body: Bytes) -> Answer {
        let given = try? JSONText.parse(body)
        guard given?["password"]?.text == secrets.password else {
            return json(401, #"{"error":"wrong name or password"}"#)
        }
        let text = #"""
            {"access_token":"\#(secrets.accessToken)","token_type":"Bearer","expires_in":3600,\#
            "refresh_token":"\#(secrets.refreshToken)","user":{"id":3,"name":"Ada"}}
            """#
        return json(200, text, [("Set-Cookie", "sid=\(secrets.sessionID); Path=/; HttpOnly; SameSite=Lax")])
    }

    private func isSignedIn(_ head: RequestHead) -> Bool {
        head.fields.text("Authorization") == "Bearer \(secrets.accessToken)"
            && head.fields.text("Cookie") == "sid=\(secrets.sessionID)"
    }

    private func json(_ status: Int, _ text: String, _ more: [(String, String)] = []) -> Answer {
        let head = ResponseHead(status: status, fields: Fields([("Content-Type", "application/json")] + more))
        return Answer(head: head, body: Bytes(text.utf8))
    }

    private func octets(_ body: Bytes, _ type: String) -> Answer {
        let fields = Fields([("Content-Type", type), ("Cache-Control", "max-age=86400")])
        return Answer(head: ResponseHead(status: 200, fields: fields), body: body)
    }

    private func gzip(_ answer: Answer) -> Answer {
        guard let coded = try? encodeContent(answer.body, .gzip) else { return answer }
        var answer = answer
        answer.body = coded
        answer.head.fields.append("Content-Encoding", "gzip")
        answer.head.fields.append("Vary", "Accept-Encoding")
        return answer
    }

    /// A cassette of 16 by 16 pixels, as PNG.
    static let logo: Bytes = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52,
        0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x10, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3A, 0x98, 0xA0,
        0xBD, 0x00, 0x00, 0x00, 0x35, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0xF8, 0x8F, 0x06, 0x18,
        0x30, 0x05, 0x18, 0x50, 0x00, 0x48, 0x00, 0x4D, 0x1E, 0xAB, 0x00, 0x48, 0x29, 0x94, 0x80, 0x40,
        0x88, 0x41, 0xFF, 0xA1, 0x26, 0x40, 0x34, 0x31, 0x30, 0xC0, 0x35, 0x60, 0x51, 0x81, 0x61, 0x06,
        0x11, 0xD6, 0xA2, 0x09, 0xA0, 0x3B, 0x9D, 0x90, 0x6F, 0x01, 0x1A, 0x04, 0xAF, 0x51, 0xBE, 0x39,
        0x3B, 0x3A, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]
}

/// What the demo's backend knows.
enum DemoDocuments {
    static let projects = """
        {"projects":[{"id":7,"name":"Harbor lights","open":3},{"id":9,"name":"Night train","open":0},\
        {"id":12,"name":"Tide tables","open":11}],"total":3}
        """
    static let project = """
        {"id":7,"name":"Harbor lights","lead":{"id":3,"name":"Ada"},"budget":12500.00,"started":"2026-03-02"}
        """
    static let tasks = """
        {"tasks":[{"id":71,"title":"Measure the pier","due":"2026-12-04"},\
        {"id":74,"title":"Choose the lamps","due":"2026-12-11"},{"id":75,"title":"Ask the harbor master","due":null}]}
        """
    static let report = #"{"project":7,"hours":[6.5,8,7.25,0,4],"late":1,"note":"made on request, and slowly"}"#
    static let viewer = #"{"data":{"viewer":{"name":"Ada","projects":[{"id":7},{"id":12}]}}}"#
    static let query = "query Viewer { viewer { name projects { id } } }"
}
