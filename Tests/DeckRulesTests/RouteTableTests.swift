import HTTPCore
import Testing

@testable import DeckRules

@Suite struct RouteTableTests {
    /// Two patterns and a request that both take: the first wins.
    static let winners: [(first: String, second: String, request: String)] = [
        ("GET /items/new", "GET /items/{id}", "GET /items/new"),
        ("GET /items/v{id}", "GET /items/{id}", "GET /items/v1"),
        ("GET /items/{id}", "GET /items/{rest...}", "GET /items/1"),
        ("GET /items/{id}/x", "GET /items/{rest...}", "GET /items/1/x"),
        ("GET /a/{x}", "GET /{y}/b", "GET /a/b"),
        ("GET /a/{x}/c", "GET /{y}/b/c", "GET /a/b/c"),
        ("GET /{x}.json", "GET /v{x}", "GET /v1.json"),
        ("GET /a{x}/b", "GET /{y}/b", "GET /a1/b"),
        ("GET /a/b/{rest...}", "GET /a/{rest...}", "GET /a/b/c"),
        ("GET /a/{x}/{rest...}", "GET /a/{rest...}", "GET /a/b/c"),
        ("GET /{rest...}", "* /{rest...}", "GET /z"),
        ("GET /a", "* /a", "GET /a"),
        ("* /a", "GET /{x}", "GET /a"),
        ("GET /a", "GET /a?*", "GET /a"),
        ("GET /a?x=1", "GET /a?x={x}", "GET /a?x=1"),
        ("GET /a?x=v{x}", "GET /a?x={x}", "GET /a?x=v1"),
        ("GET /a?x={x}.json", "GET /a?x=v{x}", "GET /a?x=v1.json"),
        ("GET /a?x={x}", "GET /a?x={x}&*", "GET /a?x=1"),
        ("GET /a?x={x}", "GET /a?*", "GET /a?x=1"),
        ("GET /a?x=1&*", "GET /a?x={x}", "GET /a?x=1"),
        ("GET /a?x={x}&y={y}&*", "GET /a?x={x}&*", "GET /a?x=1&y=2"),
        ("GET /a?flag&*", "GET /a?x={x}&*", "GET /a?x=1&flag"),
        ("* /a?x=1", "GET /a?x={x}", "GET /a?x=1"),
    ]

    @Test(arguments: winners) func theMoreLiteralWins(_ first: String, _ second: String, _ request: String) throws {
        let (one, other) = try (RoutePattern.parse(first), RoutePattern.parse(second))
        #expect(RoutePattern.comesBefore(one, other) == true)
        #expect(RoutePattern.comesBefore(other, one) == false)
        let (method, path, query) = splitRequest(request)
        for routes in [[one, other], [other, one]] {
            let table = RouteTable(routes.map { Route(name: $0.text, pattern: $0) })
            #expect(table.indistinguishablePairs().isEmpty)
            let match = table.route(method: method, path: path, query: query)
            #expect(match.index.map { table.routes[$0].name } == first)
        }
    }

    /// Pairs that nothing tells apart, and pairs that look like it but take no common request.
    static let pairs: [(first: String, second: String, isAmbiguous: Bool)] = [
        ("GET /a", "GET /a", true),
        ("GET /{a}", "GET /{b}", true),
        ("GET /{a...}", "GET /{b...}", true),
        ("GET /a{x}", "GET /{y}b", true),
        ("GET /a{x}", "GET /b{y}", false),
        ("GET /a{x}b", "GET /a{y}b", true),
        ("GET /a{x}c", "GET /a{y}b", false),
        ("GET /a{x}/b", "GET /{y}b/{z}", true),
        ("GET /a{x}/b", "GET /{y}b/c", false),
        ("GET /a{x}/b", "GET /{y}b", false),
        ("GET /a{x}/b", "GET /{y}b/{r...}", true),
        ("GET /a", "POST /a", false),
        ("* /a", "GET /a", false),
        ("GET /a%2f", "GET /a%2F", true),
        ("GET /a?x=1&y={y}", "GET /a?x={x}&y=1", true),
        ("GET /a?x=1&y={y}", "GET /a?x={x}&z=1", false),
        ("GET /a?x=1&*", "GET /a?y=1&*", true),
        ("GET /a?x=1&*", "GET /a?x=2&*", false),
        ("GET /a?x=1", "GET /a?y=1", false),
        ("GET /a?x", "GET /a?x=", false),
        ("GET /a?x={a}", "GET /a?x={b}", true),
        ("GET /a?x=a{a}", "GET /a?x={b}b", true),
        ("GET /a?x=1&x={b}", "GET /a?x={a}&x=1", true),
        ("GET /a?x=1&x=2", "GET /a?x=2&x=1", false),
        ("GET /a", "GET /a/", false),
        ("GET /{x}", "GET /a/{y}", false),
    ]

    @Test(arguments: pairs)
    func findsWhatCannotBeToldApart(_ first: String, _ second: String, _ isAmbiguous: Bool) throws {
        let routes = try [first, second].map { Route(name: $0, pattern: try RoutePattern.parse($0)) }
        #expect(RouteTable(routes).indistinguishablePairs().isEmpty != isAmbiguous)
        #expect(RouteTable(routes.reversed()).indistinguishablePairs().isEmpty != isAmbiguous)
    }

    @Test func goesBackWhereALiteralBranchFails() throws {
        let table = try table(["GET /a/b/c", "GET /a/{x}/d", "GET /{y}/b/e", "* /{rest...}?*"])
        #expect(name(table, "GET /a/b/c") == "GET /a/b/c")
        #expect(name(table, "GET /a/b/d") == "GET /a/{x}/d")
        #expect(name(table, "GET /a/b/e") == "GET /{y}/b/e")
        #expect(name(table, "GET /a/b/f") == "* /{rest...}?*")
        #expect(name(table, "PUT /a/b/c?x") == "* /{rest...}?*")
    }

    @Test func findsEveryOneOfAThousandRoutes() throws {
        let patterns = (0..<1_000).map { "GET /api/v\($0 % 10)/items\($0)/{id}" }
        let table = try table(patterns)
        for index in stride(from: 0, to: 1_000, by: 37) {
            #expect(name(table, "GET /api/v\(index % 10)/items\(index)/7") == patterns[index])
        }
        #expect(name(table, "GET /api/v1/items0/7") == nil)
    }

    @Test func namesTheRouteThatIsNear() throws {
        let table = try table(["GET /items?limit={limit}", "POST /items", "GET /other"])
        let (method, path, query) = splitRequest("GET /items?limit=1&page=2")
        let match = table.route(method: method, path: path, query: query)
        #expect(match.index == nil)
        #expect(match.near == 0)
        #expect(table.route(method: "PUT", path: path, query: query).near == nil)
        #expect(table.route(method: method, path: path, query: Array("limit=1".utf8)).near == nil)
    }

    @Test func tellsOperationsApart() throws {
        let pattern = try RoutePattern.parse("POST /graphql")
        let table = RouteTable([
            Route(name: "any", pattern: pattern), Route(name: "viewer", pattern: pattern, operation: "Viewer"),
            Route(name: "cart", pattern: pattern, operation: "Cart"),
        ])
        #expect(table.indistinguishablePairs().isEmpty)
        #expect(table.needsOperations)
        let path = Array("/graphql".utf8)
        for (operations, expected) in [(["Viewer"], "viewer"), (["Cart"], "cart"), (["Other"], "any"), ([], "any")] {
            let match = table.route(method: "POST", path: path, query: nil, operations: operations)
            #expect(match.index.map { table.routes[$0].name } == expected)
        }
        let batch = table.route(method: "POST", path: path, query: nil, operations: ["Other", "Viewer"])
        #expect(batch.index == 1)
    }

    @Test func ignoresItemsGloballyAndPerRoute() throws {
        let table = RouteTable(
            [
                Route(name: "a", pattern: try RoutePattern.parse("GET /a"), ignoredQuery: [Array("t".utf8)]),
                Route(name: "b", pattern: try RoutePattern.parse("GET /b?x={x}")),
            ],
            ignoredQuery: [Array("utm-x".utf8)])
        #expect(name(table, "GET /a?t=1&utm%2Dx=2") == "a")
        #expect(name(table, "GET /b?x=1&utm-x=2") == "b")
        #expect(name(table, "GET /b?x=1&t=2") == nil)
    }

    @Test func anEmptyTableTakesNothing() {
        let match = RouteTable([]).route(method: "GET", path: Array("/a".utf8), query: nil)
        #expect(match.index == nil && match.near == nil)
    }

    @Test func aMatchOfAnotherTableHasNoParameters() throws {
        let long = try table(["GET /a/{x}/{y}", "GET /b"])
        let match = long.route(method: "GET", path: Array("/b".utf8), query: nil)
        #expect(try table(["GET /c"]).parameters(of: match) == [:])
        #expect(try table(["GET /c", "GET /a/{x}/{y}"]).parameters(of: match) == [:])
    }

    @Test func takesNoTargetWithoutASlash() throws {
        let table = try table(["* /{rest...}?*"])
        #expect(table.route(method: "OPTIONS", path: Array("*".utf8), query: nil).index == nil)
        #expect(table.route(method: "GET", path: [], query: nil).index == nil)
    }

    private func table(_ patterns: [String]) throws -> RouteTable {
        RouteTable(try patterns.map { Route(name: $0, pattern: try RoutePattern.parse($0)) })
    }

    private func name(_ table: RouteTable, _ request: String) -> String? {
        let (method, path, query) = splitRequest(request)
        return table.route(method: method, path: path, query: query).index.map { table.routes[$0].name }
    }
}
