/// A variant that the command line puts on a route or on requests, over what the scenario says.
///
/// Written `ROUTE or METHOD PATH=VARIANT[,after=N][,times=N]`; `*` for the route means what it means in a scenario.
package struct FaultOverride: Sendable, Equatable {
    /// The requests that it is for.
    package enum Target: Sendable, Equatable {
        /// A route, by name.
        case route(String)
        /// Every request, routed or not, but those of routes marked `"auth"`.
        case star
        /// The requests that a pattern takes, whatever route they have.
        case pattern(RoutePattern)
    }

    /// The option as written.
    package var text: String
    package var target: Target
    package var variant: String
    /// In place of the variant's own; nil to keep that.
    package var after: Int?
    package var times: Int?

    /// Reads an option's value. A path without `?` takes any query.
    ///
    /// - Throws: ``RuleError`` for a value without `=`, an unreadable pattern, and numbers that are none.
    package static func parse(_ text: String) throws(RuleError) -> FaultOverride {
        var rest = text[...]
        var after: Int?
        var times: Int?
        while let comma = rest.lastIndex(of: ",") {
            let option = rest[rest.index(after: comma)...]
            if option.hasPrefix("after="), after == nil {
                after = try number(option.dropFirst(6), atLeast: 0, of: "after", in: text)
            } else if option.hasPrefix("times="), times == nil {
                times = try number(option.dropFirst(6), atLeast: 1, of: "times", in: text)
            } else {
                break
            }
            rest = rest[..<comma]
        }
        guard let equals = rest.lastIndex(of: "="), equals > rest.startIndex, rest.index(after: equals) < rest.endIndex
        else {
            throw RuleError(
                "the fault `\(text)` has no variant", advice: "write ROUTE=VARIANT or 'METHOD PATH=VARIANT'")
        }
        let variant = String(rest[rest.index(after: equals)...])
        let isRoute = !rest[..<equals].contains(" ")
        if variant.contains(",") || (isRoute && rest[..<equals].contains { $0 == "," || $0 == "=" }) {
            throw RuleError("the fault `\(text)` has an unknown option", advice: "options are after=N and times=N")
        }
        let target = try target(String(rest[..<equals]))
        return FaultOverride(text: text, target: target, variant: variant, after: after, times: times)
    }

    private static func target(_ text: String) throws(RuleError) -> Target {
        if text == "*" { return .star }
        guard text.contains(" ") else { return .route(text) }
        var pattern = try RoutePattern.parse(text)
        if !text.contains("?") { pattern.query = .any }
        return .pattern(pattern)
    }

    private static func number(
        _ digits: Substring, atLeast least: Int, of option: String, in text: String
    ) throws(RuleError) -> Int {
        guard let value = Int(digits), value >= least, value <= 1_000_000_000 else {
            throw RuleError("`\(option)` in the fault `\(text)` is no number", advice: "write one from \(least) on")
        }
        return value
    }
}
