import DeckEngine
import DeckRules

/// `tapedeck check`: reads the configuration and shows what it comes to.
struct CheckCommand: Sendable {
    let settings: Settings
    let console: Console

    /// - Throws: `UsageError` with all problems of the configuration, or for none at all.
    func run() throws(UsageError) -> Int32 {
        if try settings.flag(Options.schema) {
            console.out(octets: Array(configurationSchema.utf8))
            return ExitStatus.fine
        }
        let file = ConfigurationFile(settings)
        guard let path = file.path else {
            throw UsageError("there is no tapedeck.json here", advice: "name a configuration with --config FILE")
        }
        let configuration = try file.load()
        for warning in configuration.warnings {
            let word = Style.warning.applied(to: "warning:", color: console.errorHasColor)
            console.note("\(word) \(warning.description)")
        }
        ConfigurationView(configuration, color: console.outHasColor).lines.forEach(console.out)
        console.out("\(path): " + Style.good.applied(to: "no problems", color: console.outHasColor))
        return ExitStatus.fine
    }
}

/// A configuration as people read it: upstreams, routes with their variants, scenarios.
struct ConfigurationView: Sendable {
    private let configuration: Configuration
    private let color: Bool

    init(_ configuration: Configuration, color: Bool) {
        self.configuration = configuration
        self.color = color
    }

    var lines: [String] {
        [upstreams, routes, scenarios].filter { !$0.isEmpty }.flatMap { $0 + [""] }
    }

    private var upstreams: [String] {
        configuration.upstreams.map { upstream in
            Style.faint.applied(to: "upstream", color: color) + "  " + (upstream.name.map { "\($0) = " } ?? "")
                + upstream.url
        }
    }

    private var routes: [String] {
        let routes = configuration.rules.table.routes
        if routes.isEmpty { return [] }
        var table = Table([("ROUTE", .left), ("MATCH", .left), ("OWN VARIANTS", .left)])
        for route in routes {
            let marks = (route.isAuth ? " (auth)" : "") + (route.isRecorded ? "" : " (not recorded)")
            table.add([
                route.name, route.pattern.text + marks, route.variants.keys.sorted().joined(separator: " "),
            ])
        }
        return table.lines(color: color)
    }

    private var scenarios: [String] {
        let rules = configuration.rules
        if rules.scenarios.isEmpty { return [] }
        var table = Table([("SCENARIO", .left), ("VARIANTS", .left)])
        for scenario in rules.scenarios.values.sorted(by: { $0.name < $1.name }) {
            let entries = scenario.entries.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            let all = (scenario.star.map { ["*=\($0)"] } ?? []) + entries
            let mark = scenario.name == rules.scenario ? " (at start)" : ""
            table.add([scenario.name + mark, all.joined(separator: " ")])
        }
        return table.lines(color: color)
    }
}
