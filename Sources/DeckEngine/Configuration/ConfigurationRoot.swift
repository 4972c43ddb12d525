import CassetteKit
import DeckRules
import HTTPCore

extension ConfigurationReader {
    static let rootKeys = [
        "$schema", "version", "upstream", "upstreams", "allowUpstreams", "ignoreHosts", "tunnel", "routes", "variants",
        "scenarios",
        "scenario",
        "sanitize", "match", "playback", "clock", "latency", "bandwidth", "listen", "control", "missStatus", "seed",
        "shim",
        "expiresIn", "externalHosts",
        "maxBody", "limits", "volatile",
    ]

    /// Reads the whole file.
    ///
    /// - Throws: ``ConfigurationError`` with all problems.
    mutating func read(_ readFile: (_ path: String) -> [UInt8]?) throws(ConfigurationError) -> Configuration {
        let root = try root()
        let members = object(root, known: Self.rootKeys)
        readVersion(members["version"], root)
        var configuration = Configuration()
        configuration.file = file
        configuration.folder = folder
        configuration.upstreams = readUpstreams(members["upstream"], members["upstreams"])
        configuration.allowUpstreams = members["allowUpstreams"].map { readHosts($0) }
        configuration.ignoreHosts = members["ignoreHosts"].map { readHosts($0) } ?? []
        configuration.tunneledHosts = members["tunnel"].map { readHosts($0) } ?? []
        configuration.match = members["match"].map { readMatch($0) } ?? ConfiguredMatch()
        configuration.volatile = members["volatile"].map { readVolatile($0) } ?? VolatileRules()
        configuration.playback =
            members["playback"].flatMap { choice($0, as: "playback policy", of: PlaybackPolicy.self) } ?? .repeatLast
        configuration.sanitizing = members["sanitize"].map { readSanitizing($0) } ?? ConfiguredSanitizing()
        configuration.options = readOptions(members)
        configuration.usesShim = members["shim"].flatMap { bool($0) } ?? false
        configuration.expiresIn = members["expiresIn"].flatMap { readDays($0) }
        configuration.externalHosts = members["externalHosts"].map { readHosts($0) } ?? []
        if let limits = members["limits"] { configuration.limits = readLimits(limits) }
        if let clock = members["clock"] { readClock(clock, into: &configuration) }
        readRules(members, into: &configuration, readFile)
        let problems = problems
        if !problems.isEmpty { throw ConfigurationError(problems) }
        configuration.warnings = warnings
        return configuration
    }

    private mutating func readVersion(_ node: Node?, _ root: Node) {
        guard let node else {
            if root.value.members != nil { report(root.path, "there is no version", advice: "add \"version\": 1") }
            return
        }
        guard let version = node.value.integer, version >= 1 else {
            report(node.path, "the version is no number from 1 on", advice: "write \"version\": 1")
            return
        }
        if version > 1 {
            report(node.path, "this program reads version 1, not \(version)", advice: "use a newer tapedeck")
        }
    }

    private mutating func readUpstreams(_ single: Node?, _ named: Node?) -> [NamedUpstream] {
        var upstreams: [NamedUpstream] = []
        if let single, let url = reading(single, as: "a URL", NamedUpstream.checkedURL) {
            upstreams.append(NamedUpstream(url: url))
        }
        guard let named else { return upstreams }
        for (name, node) in members(named) {
            checkName(name, of: "upstream", at: node.path)
            if let url = reading(node, as: "a URL", NamedUpstream.checkedURL) {
                upstreams.append(NamedUpstream(name: name, url: url))
            }
        }
        return upstreams
    }

    /// A number of days, as `30d` or `4w`.
    private mutating func readDays(_ node: Node) -> Int? {
        let text = node.value.text ?? ""
        let factor = text.hasSuffix("d") ? 1 : text.hasSuffix("w") ? 7 : 0
        if factor > 0, let count = Int(text.dropLast()), (1...36_500).contains(count) { return count * factor }
        report(node.path, "a number of days is expected here", advice: "write one as \"30d\" or \"4w\"")
        return nil
    }

    private mutating func readHosts(_ node: Node) -> [HostPattern] {
        list(node).compactMap { reading($0, as: "a host", HostPattern.init) }
    }

    private mutating func readOptions(_ members: [String: Node]) -> ConfiguredOptions {
        var options = ConfiguredOptions()
        options.listen = members["listen"].flatMap { reading($0, as: "HOST:PORT", checkedAddress) }
        options.control = members["control"].flatMap { node in
            node.value.text == "off" ? "off" : reading(node, as: "HOST:PORT or off", checkedAddress)
        }
        options.missStatus = members["missStatus"].flatMap { integer($0, in: 400...999) }
        options.seed = members["seed"].flatMap { integer($0, in: 0...Int.max) }.map { UInt64($0) }
        options.maxBody = members["maxBody"].flatMap { integer($0, in: 0...(1 << 40)) }
        return options
    }

    private mutating func readRules(
        _ members: [String: Node], into configuration: inout Configuration, _ readFile: (String) -> [UInt8]?
    ) {
        let routes = members["routes"].map { readRoutes($0, readFile) } ?? []
        for route in routes where !route.match.isEmpty { configuration.routeMatch[route.name] = route.match }
        var definitions: [String: VariantDefinition] = [:]
        for (name, node) in optionalMembers(members["variants"]) {
            checkName(name, of: "variant", at: node.path)
            definitions[name] = readVariant(node, readFile)
        }
        let rules = RuleSet(
            table: RouteTable(
                routes.compactMap(\.route),
                ignoredQuery: configuration.match.ignoreQuery.map { normalizePercent($0.utf8) }),
            definitions: definitions, scenarios: members["scenarios"].map { readScenarios($0) } ?? [],
            scenario: members["scenario"].flatMap { string($0, as: "a scenario's name") },
            latency: members["latency"].flatMap { readLatency($0) } ?? .none,
            bandwidth: members["bandwidth"].flatMap { readBandwidth($0) }, seed: configuration.options.seed ?? 0)
        let unread = Set(routes.filter { $0.route == nil }.map(\.name))
        for problem in rules.validate() {
            // A route whose pattern is reported already is not reported as missing, too.
            if problem.path.first == "scenarios", let name = problem.path.last, unread.contains(name) { continue }
            report(JSONPath(problem.path.map { .key($0) }), problem.error)
        }
        if problems.isEmpty {
            for remark in rules.remarks() {
                warn(JSONPath(remark.path.map { .key($0) }), remark.error.message, advice: remark.error.advice)
            }
        }
        configuration.rules = rules
    }
}

/// Checks `HOST:PORT`; an IPv6 host stands in brackets, and port 0 stands for any free one.
private func checkedAddress(_ text: String) throws(RuleError) -> String {
    let advice = "write HOST:PORT, as localhost:4750"
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
        throw RuleError("`\(text)` has no port", advice: advice)
    }
    do {
        // A port above 0 in its place: the authority of a URL never has port 0.
        _ = try Authority.parse("\(text[..<colon]):\(max(port, 1))".utf8)
        return text
    } catch {
        throw RuleError("`\(text)` is no address: \(error.message)", advice: advice)
    }
}
