import CassetteKit
import DeckRules
import HTTPCore
import SystemIO

/// The exchanges of a run on which something other than `default` acted, as a file that can be given back as an exact plan.
///
/// A JSON object a line, sorted by session, route, key and ordinal, so that equal runs write equal files whatever their
/// interleaving was. Any thread may add, under the lock.
final class FaultLog: Sendable {
    /// Lines kept; later ones are counted only.
    static let capacity = 1_000_000

    fileprivate struct Line {
        var place: ExactPlan.Place
        var variant: String
        var method: String
        /// Sanitized.
        var target: String
    }

    private struct State {
        var lines: [Line] = []
        var dropped = 0
    }

    private let state = Locked(State())
    private let path: String

    /// - Parameter path: where ``write()`` puts the file.
    init(path: String) { self.path = path }

    func add(_ place: ExactPlan.Place, _ variant: String, _ method: String, _ target: String) {
        state.withLock { state in
            if state.lines.count < Self.capacity {
                state.lines.append(Line(place: place, variant: variant, method: method, target: target))
            } else {
                state.dropped += 1
            }
        }
    }

    /// Writes the file whole.
    ///
    /// - Returns: how many lines did not fit in.
    func write() throws(SystemError) -> Int {
        let (lines, dropped) = state.withLock { ($0.lines, $0.dropped) }
        let texts = lines.sorted { $0.order < $1.order }.map { line in
            JSONText.write(line.document, layout: JSONLayout(.spaced))
        }
        try Files.writeAtomically(Bytes(texts.joined(separator: [0x0A])) + (texts.isEmpty ? [] : [0x0A]), to: path)
        return dropped
    }
}

extension FaultLog.Line {
    fileprivate var order: (String, String, UInt64, UInt64, Int) {
        (place.session, place.route ?? "", place.key.high, place.key.low, place.ordinal)
    }

    fileprivate var document: JSONValue {
        .object([
            JSONMember("session", .text(place.session)), JSONMember("route", place.route.map { .text($0) } ?? .null),
            JSONMember("key", .text(FaultPlanFile.text(of: place.key))), JSONMember("ordinal", .integer(place.ordinal)),
            JSONMember("variant", .text(variant)), JSONMember("method", .text(method)),
            JSONMember("target", .text(target)),
        ])
    }
}

extension DeckCore {
    /// Adds an exchange to the fault log, where the run writes one and something other than `default` acts.
    func noteFault(_ decision: Decision, _ method: String, _ address: Address) {
        guard let faultLog, let place = decision.place, decision.variantName != "default" else { return }
        faultLog.add(place, decision.variantName, method, shown(address.target))
    }
}
