import HTTPCore
import Testing

@testable import DeckRules

@Suite struct RoutePatternTests {
    /// A pattern, a request, and the parameters where the pattern takes it.
    struct Row: Sendable, CustomTestStringConvertible {
        var pattern: String
        var request: String
        var parameters: [String: String]?

        init(_ pattern: String, _ request: String, _ parameters: [String: String]?) {
            self.pattern = pattern
            self.request = request
            self.parameters = parameters
        }

        var testDescription: String { "\(pattern) ← \(request)" }
    }

    static let rows: [Row] = [
        // Methods.
        Row("GET /a", "GET /a", [:]),
        Row("GET /a", "POST /a", nil),
        Row("GET /a", "get /a", nil),
        Row("* /a", "PATCH /a", [:]),
        Row("HEAD /fa/3", "HEAD /fa/3", [:]),
        // Paths.
        Row("GET /", "GET /", [:]),
        Row("GET /a/b", "GET /a/b", [:]),
        Row("GET /a/b", "GET /a", nil),
        Row("GET /a", "GET /a/", nil),
        Row("GET /a/", "GET /a/", [:]),
        Row("GET /a/", "GET /a", nil),
        Row("GET /a//b", "GET /a//b", [:]),
        Row("GET /a/b", "GET /a//b", nil),
        Row("GET /a/./b", "GET /a/b", nil),
        Row("GET /a", "GET /A", nil),
        Row("GET /a%2fb", "GET /a%2Fb", [:]),
        Row("GET /a/b", "GET /a%2Fb", nil),
        Row("GET /%7euser", "GET /~user", [:]),
        Row("GET /~user", "GET /%7Euser", [:]),
        Row("GET /caf\u{e9}", "GET /caf%c3%a9", [:]),
        // Parameters in the path.
        Row("GET /items/{id}", "GET /items/7", ["id": "7"]),
        Row("GET /items/{id}", "GET /items/", nil),
        Row("GET /items/{id}", "GET /items/7/8", nil),
        Row("GET /items/{id}", "GET /items/a%20b%2Fc", ["id": "a b/c"]),
        Row("GET /items/{id}", "GET /items/%ff", ["id": "\u{fffd}"]),
        Row("GET /items/{id}/reviews/{n}", "GET /items/7/reviews/2", ["id": "7", "n": "2"]),
        Row("GET /v{major}.{minor}/x", "GET /v1.2/x", ["major": "1", "minor": "2"]),
        Row("GET /v{major}.{minor}/x", "GET /v1.2.3/x", ["major": "1", "minor": "2.3"]),
        Row("GET /v{major}.{minor}/x", "GET /v.2/x", nil),
        Row("GET /v{major}.{minor}/x", "GET /v1./x", nil),
        Row("GET /files/{name}.json", "GET /files/a.json.json", ["name": "a.json"]),
        Row("GET /files/{name}.json", "GET /files/.json", nil),
        Row("GET /files/{name}.json", "GET /files/a.xml", nil),
        Row("GET /a{x}b{y}b", "GET /a1b2bb", ["x": "1", "y": "2b"]),
        Row("GET /a{x}a", "GET /aa", nil),
        Row("GET /a{x}a", "GET /aaa", ["x": "a"]),
        // The rest of a path.
        Row("GET /la/{rest...}", "GET /la/1/2//3", ["rest": "1/2//3"]),
        Row("GET /la/{rest...}", "GET /la/", ["rest": ""]),
        Row("GET /la/{rest...}", "GET /la", nil),
        Row("GET /{rest...}", "GET /", ["rest": ""]),
        Row("GET /{a}/{rest...}", "GET /x/y%2Fz", ["a": "x", "rest": "y/z"]),
        // Queries.
        Row("GET /a", "GET /a?", [:]),
        Row("GET /a", "GET /a?x=1", nil),
        Row("GET /a?x=1", "GET /a", nil),
        Row("GET /a?x=1", "GET /a?x=1", [:]),
        Row("GET /a?x=1", "GET /a?x=2", nil),
        Row("GET /a?x=1", "GET /a?X=1", nil),
        Row("GET /a?x=1&y=2", "GET /a?y=2&x=1", [:]),
        Row("GET /a?x=1", "GET /a?x=1&y=2", nil),
        Row("GET /a?x=1", "GET /a?x=1&x=1", nil),
        Row("GET /a?x=1&x=1", "GET /a?x=1&x=1", [:]),
        Row("GET /a?x=1&x=2", "GET /a?x=2&x=1", nil),
        Row("GET /a?x=1&x=2", "GET /a?x=1&y=0&x=2", nil),
        Row("GET /a?x", "GET /a?x", [:]),
        Row("GET /a?x", "GET /a?x=", nil),
        Row("GET /a?x=", "GET /a?x", nil),
        Row("GET /a?x=", "GET /a?x=", [:]),
        Row("GET /a?limit={limit}", "GET /a?limit=20", ["limit": "20"]),
        Row("GET /a?limit={limit}", "GET /a?limit=", ["limit": ""]),
        Row("GET /a?limit={limit}", "GET /a?limit", nil),
        Row("GET /a?limit={limit}", "GET /a?limit=1&limit=2", nil),
        Row("GET /a?q={q}", "GET /a?q=a+b%2Bc", ["q": "a b+c"]),
        Row("GET /a?t=v{t}", "GET /a?t=v12", ["t": "12"]),
        Row("GET /a?t=v{t}", "GET /a?t=12", nil),
        Row("GET /a?a%2db=%7e", "GET /a?a-b=~", [:]),
        Row("GET /a?*", "GET /a", [:]),
        Row("GET /a?*", "GET /a?x=1&x&y=", [:]),
        Row("GET /a?x=1&*", "GET /a?y=2&x=1&z", [:]),
        Row("GET /a?x=1&*", "GET /a?y=2", nil),
        Row("GET /a?x=1&*", "GET /a?x=2&x=1", nil),
        Row("GET /a?x=1&*", "GET /a?x=1&x=2", [:]),
        Row("GET /a?x={x}&*", "GET /a?x=1&x=2", ["x": "1"]),
        Row("* /collect/{rest...}?*", "POST /collect/a/b?v=1", ["rest": "a/b"]),
    ]

    @Test(arguments: rows) func takesWhatItSays(_ row: Row) throws {
        let pattern = try RoutePattern.parse(row.pattern)
        let (method, path, query) = splitRequest(row.request)
        #expect(pattern.match(method: method, path: path, query: query.map { splitQuery($0) } ?? []) == row.parameters)
    }

    @Test(arguments: rows) func theTableAgreesWithThePattern(_ row: Row) throws {
        let table = RouteTable([Route(name: "it", pattern: try RoutePattern.parse(row.pattern))])
        let (method, path, query) = splitRequest(row.request)
        let match = table.route(method: method, path: path, query: query)
        #expect((match.index == nil ? nil : table.parameters(of: match)) == row.parameters)
    }

    @Test func takesIgnoredItemsOutFirst() throws {
        let pattern = try RoutePattern.parse("GET /a?x=1")
        let items = splitQuery(Array("utm=3&x=1&utm".utf8))
        #expect(pattern.match(method: "GET", path: Array("/a".utf8), query: items) == nil)
        #expect(
            pattern.match(method: "GET", path: Array("/a".utf8), query: items, ignoring: [Array("utm".utf8)]) == [:])
    }

    static let refusals: [(pattern: String, reason: String)] = [
        ("/a", "no method"),
        ("GET", "no method or no path"),
        ("GET a", "begin with /"),
        ("GET  /a", "begin with /"),
        ("G(T /a", "is no method"),
        (" /a", "is no method"),
        ("GET /a b", "space"),
        ("GET /a#b", "fragment"),
        ("GET /{a", "no partner"),
        ("GET /a}", "no partner"),
        ("GET /{}", "no parameter"),
        ("GET /{1a}", "no parameter"),
        ("GET /{a}{b}", "between {a} and {b}"),
        ("GET /{a}/{a}", "{a} twice"),
        ("GET /{a}?x={a}", "{a} twice"),
        ("GET /{rest...}/x", "goes on after {rest...}"),
        ("GET /x{rest...}", "not the whole last segment"),
        ("GET /a?*&x=1", "goes on after *"),
        ("GET /a?{n}=1", "name"),
    ]

    @Test(arguments: refusals) func refuses(_ pattern: String, _ reason: String) {
        let error = #expect(throws: RuleError.self) { try RoutePattern.parse(pattern) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
        #expect(error?.advice.isEmpty == false)
    }
}

/// Splits `METHOD path?query`.
func splitRequest(_ text: String) -> (method: String, path: Bytes, query: Bytes?) {
    let words = text.split(separator: " ", maxSplits: 1)
    let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(words[0]), Array(target[0].utf8), target.count == 2 ? Array(target[1].utf8) : nil)
}
