import SystemIO

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

    /// How a value is searched for from now on.
    enum Tracking: Sendable {
        case not, everywhere
        /// A short one, too, where it is a whole segment, or a whole value under a name like this one.
        case followed(String)
    }

    private struct Known: Sendable {
        /// The placeholder's name, without the mark before it.
        var name: String
        var placeholder: [UInt8]
        /// The place in the order of requests of the one that brought the value; nil if an answer handed it out.
        var broughtBy: Int?
    }

    private struct State {
        var known: [[UInt8]: Known] = [:]
        /// How many values each issued name has.
        var issued: [String: Int] = [:]
        var index = SecretIndex(window: SecretLedger.trackedLength)
        /// Stems of placeholders that held a secret, and what they are now.
        var renames: [StemRename] = []
        /// Requests that began so far.
        var requests = 0
        /// Placeholders that were changed.
        var changes = 0
    }

    /// Read and written by any thread, a few lines at a time, under the lock.
    private let state = Locked(State())

    package init() {}

    /// The placeholder for a value that stood at a secret place called `name`. One value keeps its placeholder.
    ///
    /// - Parameters:
    ///   - name: of the place, with what tells it from others of that name in one message.
    ///   - tracking: how the value is searched for from now on, if it is long enough for that.
    ///   - order: the place of the message's request in the order of requests; 0 where there is none.
    ///   - isNumber: whether a number is wanted.
    func placeholder(
        for value: [UInt8], name: String, origin: SecretOrigin, tracking: Tracking, order: Int = 0,
        isNumber: Bool = false
    ) -> [UInt8] {
        state.withLock { state in
            let before = state.known[value]
            let known: Known
            if let before, !Self.isHandedOut(before, origin, order) {
                known = before
            } else {
                let name = Self.name(name, origin, &state.issued)
                let isNumber = before.map { SecretPlaceholder.isNumber($0.placeholder) } ?? isNumber
                known = Known(
                    name: name,
                    placeholder: isNumber
                        ? SecretPlaceholder.number(name) : SecretPlaceholder.shaped(name, like: value),
                    broughtBy: origin == .client ? order : nil)
                state.known[value] = known
                if let before { Self.exchange(before.placeholder, known.placeholder, of: value, &state) }
            }
            Self.track(value, known.placeholder, tracking, &state.index)
            guard isNumber, !SecretPlaceholder.isNumber(known.placeholder) else { return known.placeholder }
            return SecretPlaceholder.number(known.name)
        }
    }

    /// Makes a value known that stands for itself no more: `replacement` does, wherever it turns up.
    func know(_ value: [UInt8], as replacement: [UInt8]) {
        guard value.count >= Self.trackedLength else { return }
        state.withLock { SecretSpellings.add(value, replacement: replacement, to: &$0.index) }
    }

    /// Whether an answer hands out what a request had before that answer was stored: the request came after the one that is
    /// answered, so the client has it from there, and the answer gives the name.
    private static func isHandedOut(_ known: Known, _ origin: SecretOrigin, _ order: Int) -> Bool {
        guard case .answer = origin, let brought = known.broughtBy else { return false }
        return order > 0 && order < brought
    }

    private static func exchange(_ old: [UInt8], _ new: [UInt8], of value: [UInt8], _ state: inout State) {
        state.changes += 1
        state.index.replace(of: value, with: new)
    }

    private static func track(
        _ value: [UInt8], _ placeholder: [UInt8], _ tracking: Tracking, _ index: inout SecretIndex
    ) {
        switch tracking {
        case .not: break
        case .everywhere where value.count < trackedLength: break
        case .followed(let place) where value.count < trackedLength:
            index.add(whole: value, replacement: placeholder, name: SanitizerNames.folded(place.utf8))
        case .everywhere, .followed: SecretSpellings.add(value, replacement: placeholder, to: &index)
        }
    }

    /// The secrets to be searched for, as of now.
    func index() -> SecretIndex { state.withLock { $0.index } }

    /// Grows with everything that becomes known or is named anew.
    var version: Int { state.withLock { $0.index.version + $0.changes } }

    /// The next place in the order of requests, from 1.
    func nextOrder() -> Int {
        state.withLock { state in
            state.requests += 1
            return state.requests
        }
    }

    /// How many values are searched for.
    var count: Int { state.withLock { $0.index.patterns.count } }

    /// The values that came after the first `mark`, in order.
    func values(since mark: Int) -> [[UInt8]] {
        state.withLock { $0.index.patterns.dropFirst(mark).map(\.octets) }
    }

    /// The stems that were changed so far.
    var renames: [StemRename] { state.withLock { $0.renames } }

    /// Gives placeholders that name an interaction by `old` the stem `new` from now on. False if that was done before.
    func rename(_ old: String, to new: String) -> Bool {
        state.withLock { state in
            let rename = StemRename(old: old, new: new)
            guard old != new, !state.renames.contains(rename) else { return false }
            state.renames.append(rename)
            for (value, known) in state.known {
                // Numbers and UUIDs are made from a hash of the name: they tell nothing, and keep their links.
                guard let name = rename.applied(toName: known.name),
                    SecretPlaceholder.renamed(known.placeholder, [rename]) != nil
                else { continue }
                let placeholder = SecretPlaceholder.shaped(name, like: value)
                let before = known.placeholder
                state.known[value] = Known(name: name, placeholder: placeholder, broughtBy: known.broughtBy)
                state.index.replace { $0 == before ? placeholder : nil }
            }
            state.changes += 1
            return true
        }
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

/// A stem that was found to hold a secret, and the one that stands in its place.
struct StemRename: Sendable, Hashable {
    var old: String
    var new: String

    /// A placeholder's name (`token.get-a.5f0c1a.1`) with the other stem; nil if it has not the old one.
    func applied(toName name: String) -> String? {
        let mark = ".\(old)."
        guard let found = Array(name.utf8).firstRange(of: Array(mark.utf8)) else { return nil }
        let octets = Array(name.utf8)
        return String(
            decoding: octets[..<found.lowerBound] + ".\(new).".utf8 + octets[found.upperBound...], as: UTF8.self)
    }
}
