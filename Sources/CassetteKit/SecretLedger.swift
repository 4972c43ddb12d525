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
                placeholder = Array(Self.name(name, origin, &state.issued).utf8)
                state.placeholders[value] = placeholder
            }
            if isTracked, value.count >= Self.trackedLength { state.index.add(value, replacement: placeholder) }
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
        case .client: return SecretPlaceholder.text(name)
        case .answer(let stem, let ordinal):
            let base = "\(name).\(stem).\(ordinal)"
            let number = (issued[base] ?? 0) + 1
            issued[base] = number
            return number == 1
                ? SecretPlaceholder.text(base) : SecretPlaceholder.text("\(name)-\(number).\(stem).\(ordinal)")
        }
    }
}

/// What stands in a secret's place: `REDACTED-` and a name of letters, digits, `_`, `.`, `-`, which needs no escape in a
/// field, cookie, URL, form, or JSON string.
enum SecretPlaceholder {
    static let prefix: [UInt8] = Array("REDACTED-".utf8)
    /// What stands in a match key for a secret that no rule names; one that a rule names has the rule's id behind `prefix`.
    static let unnamed: [UInt8] = Array("REDACTED-secret".utf8)

    /// What stands for a body that was replaced whole.
    static let body: [UInt8] = Array("REDACTED-body".utf8)

    static func text(_ name: String) -> String { "REDACTED-" + name }

    /// A place's name with the octets that a placeholder may have, 48 at most.
    static func name(_ octets: some Sequence<UInt8>) -> String {
        let kept = octets.lazy.filter { isNameOctet($0) && $0 != UInt8(ascii: ".") }.prefix(48)
        let name = String(decoding: Array(kept), as: UTF8.self)
        return name.isEmpty ? "secret" : name
    }

    @inline(__always)
    static func isNameOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// What stands behind the last placeholder in the range: the whole range if there is none.
    static func tail(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var at = range.lowerBound
        var start = at
        while at < range.upperBound {
            guard octets[at] == UInt8(ascii: "R"), begins(octets, at..<range.upperBound) else {
                at += 1
                continue
            }
            while at < range.upperBound, isNameOctet(octets[at]) { at += 1 }
            start = at
        }
        return start..<range.upperBound
    }

    /// Whether a placeholder stands somewhere in the range.
    static func isIn(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        tail(octets, range).lowerBound > range.lowerBound
    }

    static func begins(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count >= prefix.count else { return false }
        for offset in prefix.indices where octets[range.lowerBound + offset] != prefix[offset] { return false }
        return true
    }
}
