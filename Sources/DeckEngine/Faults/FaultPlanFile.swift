import CassetteKit
package import DeckRules
package import HTTPCore
import SystemIO

/// A run's fault log, read as an exact plan for another run.
package enum FaultPlanFile {
    /// Reads a file.
    ///
    /// - Throws: `RuleError` with the line that can't be read.
    package static func read(_ path: String) throws(RuleError) -> ExactPlan {
        let octets: Bytes
        do throws(SystemError) {
            octets = try Files.read(path)
        } catch {
            throw RuleError(
                "the fault plan cannot be read: \(error.message)", advice: "give the file that --fault-log wrote")
        }
        return try parse(octets, file: path)
    }

    /// Reads a file's octets: a JSON object a line, of which `session`, `route`, `key`, `ordinal` and `variant` count.
    package static func parse(_ octets: Bytes, file: String) throws(RuleError) -> ExactPlan {
        var plan = ExactPlan()
        for (number, line) in octets.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) { continue }
            guard let (place, variant) = entry(Bytes(line)) else {
                throw RuleError(
                    "\(file):\(number + 1) is no line of a fault plan", advice: "give the file that --fault-log wrote")
            }
            plan.variants[place] = variant
        }
        return plan
    }

    private static func entry(_ line: Bytes) -> (ExactPlan.Place, String)? {
        guard let value = try? JSONText.parse(line), let session = value["session"]?.text,
            let key = value["key"]?.text.flatMap({ key(of: $0) }), let ordinal = value["ordinal"]?.integer, ordinal > 0,
            let variant = value["variant"]?.text, let route = value["route"], route == .null || route.text != nil
        else { return nil }
        return (ExactPlan.Place(session: session, route: route.text, key: key, ordinal: ordinal), variant)
    }

    /// A key as 32 hexadecimal digits.
    static func text(of key: ExchangeKey) -> String {
        [key.high, key.low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    private static func key(of text: String) -> ExchangeKey? {
        guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        return ExchangeKey(high: high, low: low)
    }
}
