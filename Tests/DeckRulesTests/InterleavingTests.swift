import TestSupport
import Testing

@testable import DeckRules

/// Chance must not depend on the order in which exchanges of different keys come.
@Suite struct InterleavingTests {
    struct Outcome: Hashable { var key: UInt64, ordinal: Int, variant: String, delay: Duration? }

    private func run(_ order: [UInt64], seed: UInt64, session: String = "default") throws -> Set<Outcome> {
        let flaky = ["flaky": VariantDefinition(status: 500, plan: PlanDefinition(probability: 0.3))]
        var asker = try Asker(
            [try route("a", "GET /a/{k}"), try route("b", "GET /b/{k}")], variants: flaky,
            scenario: Scenario(name: "s", star: "flaky"),
            latency: .uniform(min: .milliseconds(1), max: .milliseconds(500)), seed: seed, session: session)
        #expect(asker.state.needsKey)
        var ordinals: [UInt64: Int] = [:]
        return Set(
            order.map { key in
                ordinals[key, default: 0] += 1
                let decision = asker.decide(key % 2 == 0 ? "GET /a/\(key)" : "GET /b/\(key)", key: key)
                var delay: Duration?
                if case .fixed(let time) = decision.delay { delay = time }
                return Outcome(
                    key: key, ordinal: ordinals[key] ?? 0, variant: decision.variantName, delay: delay)
            })
    }

    private let order = (0..<40).flatMap { key in [UInt64](repeating: key, count: 5) }

    @Test(arguments: 1...8) func changesNothing(_ shuffle: UInt64) throws {
        let inOrder = try run(order, seed: 11)
        var generator = SeededGenerator(seed: shuffle)
        #expect(try run(order.shuffled(using: &generator), seed: 11) == inOrder)
        let acted = inOrder.count { $0.variant == "flaky" }
        #expect(acted > 30 && acted < 90)
    }

    @Test func seedAndSessionDecide() throws {
        #expect(try run(order, seed: 11) != run(order, seed: 12))
        #expect(try run(order, seed: 11, session: "a") != run(order, seed: 11, session: "b"))
    }
}
