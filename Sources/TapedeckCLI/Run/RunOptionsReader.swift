import CassetteKit
import DeckEngine
import DeckRules
import HTTPCore
import SystemIO
import Transport

/// Reads what a run is to do: a flag wins over its variable, that over the configuration, that over the default.
struct RunOptionsReader: Sendable {
    let settings: Settings
    private var variables: [String: String] { settings.variables }

    init(_ settings: Settings) {
        self.settings = settings
    }

    /// - Throws: `UsageError` for the first thing that cannot be followed.
    func read(_ mode: DeckOptions.Mode) throws(UsageError) -> RunOptions {
        try refuseWhereOnlyReplayIsAllowed(mode)
        let configuration = try ConfigurationFile(settings).load()
        var deck = DeckOptions(mode: mode, configuration: configuration)
        deck.cassette = settings.arguments.operands.first
        try readAddresses(into: &deck)
        try readAnswers(into: &deck)
        try readUpstreams(into: &deck)
        try readRecording(into: &deck)
        deck.authorityFolder = AuthorityPlace.folder(settings)
        deck.tunneledHosts = try settings.values(Options.tunnel).map { value throws(UsageError) in
            do throws(RuleError) {
                return try HostPattern(value.text)
            } catch {
                throw UsageError("\(value.origin): \(error.message)", advice: error.advice)
            }
        }
        deck.secretVariables = settings.values(Options.secretEnv).map(\.text)
        deck.strict = try strict()
        try readSessions(into: &deck)
        return try run(deck)
    }

    private func run(_ deck: DeckOptions) throws(UsageError) -> RunOptions {
        var options = RunOptions(deck: deck)
        options.isWatching = try settings.flag(Options.watch)
        options.readyFile = settings.value(Options.readyFile).map { ReadyFile(path: $0.text) }
        options.reportFile = settings.value(Options.report)?.text
        options.junitFile = settings.value(Options.junit)?.text
        options.logForm = try settings.choice(Options.log, of: LogForm.self) ?? .text
        options.isQuiet = try settings.flag(Options.quiet)
        options.childCommand = settings.arguments.childCommand
        options.isProxyForCommand = try settings.flag(Options.proxyEnv) || isForward(deck)
        return options
    }

    /// Whether clients are expected to use the deck as a proxy.
    private func isForward(_ deck: DeckOptions) -> Bool {
        switch deck.mode {
        case .record: return deck.upstreams.isEmpty && deck.configuration.upstreams.isEmpty
        case .passthrough: return false
        case .replay:
            guard let cassette = deck.cassette, let octets = try? Files.read(CassetteFolder(cassette).manifest) else {
                return false
            }
            return (try? ManifestFormat.read(octets, path: cassette))?.form == .forward
        }
    }

    private func refuseWhereOnlyReplayIsAllowed(_ mode: DeckOptions.Mode) throws(UsageError) {
        let switchName = "TAPEDECK_REPLAY_ONLY"
        guard mode != .replay, let text = variables[switchName], !text.isEmpty, yesOrNo(text) != false else { return }
        throw UsageError(
            "\(switchName) is set, so \(settings.arguments.command.name) is refused",
            advice: "tapedeck replay CASSETTE, or unset \(switchName)")
    }

    private func readAddresses(into deck: inout DeckOptions) throws(UsageError) {
        let configured = deck.configuration.options
        if let listen = settings.value(Options.listen) ?? configured.listen.map({ value($0, "\"listen\"") }) {
            deck.listen = try address(listen)
        }
        let control = settings.value(Options.control) ?? configured.control.map { value($0, "\"control\"") }
        switch control?.text {
        case nil: deck.control = ListenAddress(host: "localhost", port: 4751)
        case "off": deck.control = nil
        default: deck.control = try control.map(address)
        }
        deck.controlToken = settings.value(Options.controlToken)?.text
    }

    private func readAnswers(into deck: inout DeckOptions) throws(UsageError) {
        let configured = deck.configuration.options
        deck.scenario = settings.value(Options.scenario)?.text
        deck.faults = settings.values(Options.fault).map(\.text)
        deck.faultLog = settings.value(Options.faultLog)?.text
        if let plan = settings.value(Options.faultPlan) {
            do throws(RuleError) {
                deck.faultPlan = try FaultPlanFile.read(plan.text)
            } catch {
                throw UsageError(error.message, advice: error.advice)
            }
        }
        if let latency = settings.value(Options.latency) {
            guard let model = LatencyModel.parse(latency.text) else {
                throw UsageError(
                    "\(latency.origin): \"\(latency.text)\" is no latency", advice: "none, recorded, or a time: 750ms")
            }
            deck.latency = model
        }
        if let clock = settings.value(Options.clock) {
            do throws(RuleError) {
                deck.clock = try ClockChoice.parse(clock.text)
            } catch {
                throw UsageError("\(clock.origin): \(error.message)", advice: error.advice)
            }
        }
        deck.seed = try settings.number(Options.seed, in: 0...UInt64.max) ?? configured.seed ?? deck.seed
        deck.missStatus =
            try settings.number(Options.missStatus, in: 400...999) ?? configured.missStatus ?? deck.missStatus
        deck.maxBody =
            try settings.number(Options.maxBody, in: 0...(1 << 40)) ?? configured.maxBody ?? deck.maxBody
        deck.maxMatchBody = try settings.number(Options.maxMatchBody, in: 0...(1 << 30)) ?? deck.maxMatchBody
    }

    private func readUpstreams(into deck: inout DeckOptions) throws(UsageError) {
        for given in settings.values(Options.upstream) {
            deck.upstreams.append(try upstream(given))
        }
        if deck.mode == .passthrough, deck.upstreams.isEmpty, deck.configuration.upstreams.isEmpty {
            throw UsageError("passthrough needs an upstream", advice: "--upstream https://staging.example.com")
        }
        deck.preserveHost = try settings.flag(Options.preserveHost)
        deck.keepsReferences = try settings.flag(Options.noRewrite)
        if let ports = settings.value(Options.upstreamPorts) {
            deck.upstreamPorts = ports.text == "any" ? .any : .range(try portRange(ports, "--upstream-ports 4760-4769"))
        }
        deck.forwardOnly = try settings.flag(Options.forwardOnly)
        deck.upstreamOptions.caFile = settings.value(Options.upstreamCA)?.text
        deck.upstreamOptions.clientCert = settings.value(Options.upstreamCert)?.text
        deck.upstreamOptions.insecure = try settings.flag(Options.upstreamInsecure)
        if let place = settings.value(Options.connectTo) {
            let address = try address(place)
            deck.upstreamOptions.connectTo = (address.host, address.port)
        }
    }

    private func readRecording(into deck: inout DeckOptions) throws(UsageError) {
        guard deck.mode == .record else { return }
        deck.recordMode = try settings.choice(Options.mode, of: RecordMode.self) ?? .all
        deck.prune = try settings.flag(Options.prune)
        let isCI = variables["CI"].map { !$0.isEmpty && yesOrNo($0) != false } ?? false
        guard deck.recordMode == .once, isCI else { return }
        guard let cassette = deck.cassette, Files.exists(CassetteFolder(cassette).manifest) else {
            throw UsageError(
                "there is no cassette \(deck.cassette ?? ""), and with CI set --mode once records none",
                advice: "record it where CI is not set, and commit it")
        }
        deck.mode = .replay
    }

    private func readSessions(into deck: inout DeckOptions) throws(UsageError) {
        deck.makesSessions = try settings.flag(Options.autoSessions)
        deck.refusesDefaultSession = try settings.flag(Options.noDefaultSession)
        guard let range = settings.value(Options.sessionPorts) else { return }
        deck.sessionPorts = try portRange(range, "--session-ports 4800-4899")
    }

    private func portRange(_ range: Settings.Value, _ example: String) throws(UsageError) -> ClosedRange<Int> {
        let ports = range.text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard ports.count == 2, let first = ports[0], let last = ports[1], (1...65_535).contains(first),
            (first...65_535).contains(last)
        else {
            throw UsageError(
                "\(range.origin): \"\(range.text)\" is no range of ports", advice: example)
        }
        return first...last
    }

    private func strict() throws(UsageError) -> Set<StrictCheck> {
        guard let value = settings.value(Options.strict), yesOrNo(value.text) != false else { return [] }
        if value.text.isEmpty || yesOrNo(value.text) == true {
            return Set(StrictCheck.allCases)
        }
        var checks: Set<StrictCheck> = []
        for word in value.text.split(separator: ",") {
            guard let check = StrictCheck(rawValue: String(word)) else {
                let words = StrictCheck.allCases.map(\.rawValue)
                throw UsageError(
                    "\(value.origin): \"\(word)\" is not one of \(words.joined(separator: ", "))",
                    advice: nearestName(to: String(word), among: words).map { "did you mean \($0)?" })
            }
            checks.insert(check)
        }
        return checks
    }

    private func upstream(_ given: Settings.Value) throws(UsageError) -> NamedUpstream {
        var name: String?
        var url = given.text
        if let equals = url.firstIndex(of: "="), !url[..<equals].contains("/"), !url[..<equals].contains(":") {
            name = String(url[..<equals])
            url = String(url[url.index(after: equals)...])
        }
        if let name, name.isEmpty || !name.utf8.allSatisfy(isNameOctet) {
            throw UsageError(
                "\(given.origin): the name \"\(name)\" has other characters than a-z A-Z 0-9 - _",
                advice: "--upstream auth=https://auth.example.com")
        }
        do throws(RuleError) {
            return NamedUpstream(name: name, url: try NamedUpstream.checkedURL(url))
        } catch {
            throw UsageError("\(given.origin): \(error.message)", advice: error.advice)
        }
    }

    private func isNameOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private func address(_ value: Settings.Value) throws(UsageError) -> ListenAddress {
        // Not as an authority: that has no port 0, which here means any that is free.
        let colon = value.text.lastIndex(of: ":") ?? value.text.startIndex
        let digits = value.text[colon...].dropFirst()
        let isNumber =
            !digits.isEmpty && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let host = try? Authority.parse(value.text[..<colon].utf8)
        guard isNumber, let port = Int(digits), port <= 65_535, let host, host.port == nil, !host.host.isEmpty else {
            throw UsageError(
                "\(value.origin): \"\(value.text)\" is no HOST:PORT", advice: "such as localhost:4750, or localhost:0")
        }
        return ListenAddress(host: host.host, port: port)
    }

    private func value(_ text: String, _ origin: String) -> Settings.Value {
        Settings.Value(text: text, origin: origin)
    }
}
