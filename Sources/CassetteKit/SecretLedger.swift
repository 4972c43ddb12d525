import Synchronization

/// Who a secret was first seen from.
package enum SecretOrigin: Sendable, Equatable {
    /// The client brought it: its placeholder is named after the place alone, so that it is the same in every run.
    case client
    /// An answer handed it out: `stem` is the request's name with its digits (`post-login.77ab01`).
    case answer(stem: String, ordinal: Int)
}

/// The secrets of one run and what stands in their place. Values are kept exactly, and in memory only.
package final class SecretLedger: Sendable {
    /// Shorter values are hidden at places that a rule names, but not searched for elsewhere.
    package static let trackedLength = 8
    /// Shorter secrets that were handed over would be found in everything.
    package static let shortestLiteral = SecretSpellings.minimum

    private struct State {
        var placeholders: [[UInt8]: [UInt8]] = [:]
        /// How many values each issued placeholder's base has.
        var issued: [String: Int] = [:]
        var index = SecretIndex(window: SecretLedger.trackedLength)
    }

    /// Read and written by any thread, a few lines at a time, under the lock.
    private let state = Mutex(State())

    package init() {}

    /// The placeholder for a value that stood at a secret place called `name`. One value keeps its placeholder.
    ///
    /// With `isTracked` the value is searched for everywhere from now on, if it is long enough.
    func placeholder(for value: [UInt8], name: String, origin: SecretOrigin, isTracked: Bool) -> [UInt8] {
        state.withLock { state in
            let placeholder: [UInt8]
            if let known = state.placeholders[value] {
                placeholder = known
            } else {
                placeholder = SecretPlaceholder.shaped(Self.name(name, origin, &state.issued), like: value)
                state.placeholders[value] = placeholder
            }
            if isTracked, value.count >= Self.trackedLength {
                SecretSpellings.add(value, replacement: placeholder, to: &state.index)
            }
            return placeholder
        }
    }

    /// The secrets to be searched for, as of now.
    func index() -> SecretIndex { state.withLock { $0.index } }

    /// How many values are searched for.
    var count: Int { state.withLock { $0.index.patterns.count } }

    /// The values that came after the first `mark`, in order.
    func values(since mark: Int) -> [[UInt8]] {
        state.withLock { $0.index.patterns.dropFirst(mark).map(\.octets) }
    }

    private static func name(_ name: String, _ origin: SecretOrigin, _ issued: inout [String: Int]) -> String {
        switch origin {
        case .client: return name
        case .answer(let stem, let ordinal):
            let base = "\(name).\(stem).\(ordinal)"
            let number = (issued[base] ?? 0) + 1
            issued[base] = number
            return number == 1 ? base : "\(name)-\(number).\(stem).\(ordinal)"
        }
    }
}
