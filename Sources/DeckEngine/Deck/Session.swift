import CassetteKit
package import DeckRules
import HTTPCore
import Synchronization
import SystemIO

/// One test's view of the deck: its own cursors, scenario, counters and journal over the shared cassette.
///
/// Any thread may call; the lock is held for a few lines and never across I/O.
package final class Session: Sendable {
    private struct State {
        var rules: RuleState
        var cursors: [MatchKey: Cursor] = [:]
        /// By index of the interaction: how many exchanges got it.
        var played: [Int] = []
        var repeats = 0
        /// Requests beyond the recorded order under the policy `error`.
        var overServed = 0
        /// Writes that were answered from the cassette, for the policy `followWrites`.
        var writes = 0
        /// Exchanges of each route, by the route's name.
        var requests: [String: Int] = [:]
    }

    package let name: String
    package let journal = Journal()
    /// What waits on purpose.
    let holds = Holds()
    private let exchanges = Atomic(0)
    private let state: Locked<State>

    package init(name: String, rules: RuleState, interactions: Int) {
        self.name = name
        state = Locked(State(rules: rules, played: Array(repeating: 0, count: interactions)))
    }

    /// What an exchange gets, and counts it.
    ///
    /// - Parameters:
    ///   - key: the match key; needed only where chance plays a part.
    ///   - operations: the GraphQL operations in the request; needed only where a route names one.
    func decide(
        _ address: Address, _ method: String, now: Duration, key: MatchKey?, operations: [String]
    ) -> Decision {
        state.withLock { state in
            guard !state.rules.isInert || !state.rules.rules.table.isEmpty else { return .plain }
            let path = Bytes(address.path)
            let query = address.query.map { Bytes($0) }
            let route = state.rules.rules.table.route(
                method: method, path: path, query: query, operations: operations)
            var facts = ExchangeFacts(route: route, method: method, path: path, query: query, now: now)
            if let key { facts.key = key.exchangeKey }
            let decision = state.rules.decide(facts)
            if let name = decision.routeName { state.requests[name, default: 0] += 1 }
            return decision
        }
    }

    /// Counts an exchange that begins.
    func enter() { exchanges.add(1, ordering: .relaxed) }

    /// Counts an exchange that has ended.
    func leave() { exchanges.subtract(1, ordering: .relaxed) }

    /// Exchanges that have begun and not ended.
    var underWay: Int { exchanges.load(ordering: .relaxed) }

    /// What an exchange took from the recorded sequence, to give it back.
    struct Taken: Sendable {
        var key: MatchKey
        var step: Cursor.Step
        var place: Cursor.Place
        var isWrite: Bool
    }

    /// Takes the next answer to a request with this key.
    ///
    /// - Parameter isWrite: whether the request counts as a write for those that follow.
    func take(
        _ key: MatchKey, _ sequence: ReplayIndex.Sequence, _ policy: PlaybackPolicy, isWrite: Bool = false
    ) -> Taken {
        state.withLock { state in
            let (step, place) = state.cursors[key, default: Cursor()].take(sequence, policy, writes: state.writes)
            switch step {
            case .play(let index, let again):
                state.played[index] += 1
                if again { state.repeats += 1 }
                if isWrite { state.writes += 1 }
            case .usedUp: state.overServed += 1
            }
            return Taken(key: key, step: step, place: place, isWrite: isWrite)
        }
    }

    /// The answer that the next such request would get; counts it as met but does not take it.
    func peek(
        _ key: MatchKey, _ sequence: ReplayIndex.Sequence, _ policy: PlaybackPolicy = .repeatLast
    ) -> Int? {
        state.withLock { state in
            let index = (state.cursors[key] ?? Cursor()).peek(sequence, policy, writes: state.writes)
            if let index { state.played[index] += 1 }
            return index
        }
    }

    /// Gives an answer back that the client did not see an octet of.
    func giveBack(_ taken: Taken) {
        guard case .play(let index, let again) = taken.step else { return }
        state.withLock { state in
            state.cursors[taken.key]?.giveBack(taken.place)
            if state.played[index] > 0 { state.played[index] -= 1 }
            if again { state.repeats -= 1 }
            if taken.isWrite { state.writes -= 1 }
        }
    }

    /// Marks the answers to a request as met, where a variant stood in for them.
    func cover(_ sequence: ReplayIndex.Sequence) {
        state.withLock { state in for step in sequence.steps { state.played[step.interaction] += 1 } }
    }

    /// Rewinds all cursors, and the count of writes with them.
    func restart() {
        state.withLock { state in
            state.cursors.removeAll()
            state.writes = 0
        }
    }

    /// Reads or changes the choices of the session.
    package func withRules<Result, Failure: Error>(
        _ body: (inout RuleState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The closure of `withLock` does not hand typed errors on together with a result that is not Sendable.
        let result: Swift.Result<Result, Failure> = state.withLock { state in
            do throws(Failure) { return .success(try body(&state.rules)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Exchanges that a route has taken.
    func requests(ofRoute name: String) -> Int { state.withLock { $0.requests[name] ?? 0 } }

    /// Indices of the interactions that no exchange got.
    var unplayed: [Int] { state.withLock { state in state.played.indices.filter { state.played[$0] == 0 } } }

    /// How often an answer was given again after the recorded order was used up.
    var repeats: Int { state.withLock { $0.repeats } }

    /// Requests beyond the recorded order where the policy is `error`.
    var overServed: Int { state.withLock { $0.overServed } }
}
