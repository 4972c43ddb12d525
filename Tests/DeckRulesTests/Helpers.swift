import CassetteKit
import HTTPCore
import Testing

@testable import DeckRules

/// A session's state under test, asked with requests as text.
struct Asker {
    var state: RuleState

    init(
        _ routes: [Route] = [], variants: [String: VariantDefinition] = [:], scenario: Scenario? = nil,
        faults: [String] = [], latency: LatencyModel = .none, seed: UInt64 = 1, session: String = "default"
    ) throws {
        let rules = RuleSet(
            table: RouteTable(routes), definitions: variants, scenarios: scenario.map { [$0] } ?? [],
            faults: try faults.map { try FaultOverride.parse($0) }, latency: latency, seed: seed)
        #expect(rules.validate() == [])
        state = RuleState(rules, session: session, scenario: scenario?.name)
    }

    mutating func decide(_ request: String, key: UInt64 = 0, at now: Duration = .zero) -> Decision {
        let (method, path, query) = splitRequest(request)
        return state.decide(
            ExchangeFacts(
                route: state.rules.table.route(method: method, path: path, query: query), method: method, path: path,
                query: query, key: ExchangeKey(high: 0, low: key), now: now))
    }

    /// The names of the variants that act on so many equal requests in a row.
    mutating func names(_ request: String, _ count: Int) -> [String] {
        (0..<count).map { _ in decide(request).variantName }
    }
}

func route(
    _ name: String, _ pattern: String, isAuth: Bool = false, _ variants: [String: VariantDefinition] = [:]
) throws -> Route {
    Route(name: name, pattern: try RoutePattern.parse(pattern), isAuth: isAuth, variants: variants)
}

func json(_ text: String) throws -> JSONValue { try JSONText.parse(Array(text.utf8)) }

func text(_ value: JSONValue) -> String {
    String(decoding: JSONText.write(value, layout: .compact), as: UTF8.self)
}
