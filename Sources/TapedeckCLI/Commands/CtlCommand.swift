import ControlAPI
import DeckRules
import TapedeckClient

/// `tapedeck ctl`: one action on a running deck.
struct CtlCommand: Sendable {
    private let action: CtlAction
    private let wishes: CtlWishes
    private let control: DeckControl
    private let patience: Duration
    private let output: ControlOutput

    /// - Throws: `UsageError` for words or values that are not understood.
    init(_ settings: Settings, _ console: Console) throws(UsageError) {
        action = try CtlAction(settings.arguments.operands)
        wishes = try CtlWishes(settings)
        output = ControlOutput(console: console, isMachine: try settings.flag(Options.json))
        let time = settings.value(Options.wait)
        guard let patience = time.map({ parseDuration($0.text) }) ?? .seconds(30) else {
            throw UsageError("\(time?.origin ?? ""): \"\(time?.text ?? "")\" is no time", advice: "--timeout 30s")
        }
        self.patience = patience
        do throws(TapedeckError) {
            control = try DeckControl(
                settings.value(Options.controlURL)?.text ?? "http://localhost:4751",
                token: settings.value(Options.token)?.text)
        } catch {
            throw UsageError(error.message, advice: error.advice)
        }
    }

    /// - Throws: `CommandError` with status 1 where the deck cannot be reached or refuses.
    func run() async throws(CommandError) -> Int32 {
        do throws(TapedeckError) {
            return try await perform() ? ExitStatus.fine : ExitStatus.failed
        } catch {
            let status = error.code == .refused ? ExitStatus.usage : ExitStatus.start
            throw CommandError(status: status, error.message, advice: error.advice)
        }
    }

    /// Says whether what was asked for holds.
    private func perform() async throws(TapedeckError) -> Bool {
        switch action {
        case .health, .routes, .scenarios, .events, .metrics, .openAPI, .schema, .wait: try await tell()
        case .chooseScenario, .chooseVariant, .latency, .offline, .expireToken, .reset, .reload: try await change()
        case .sessions, .makeSession, .closeSession, .journal, .check, .stop: return try await account()
        }
        return true
    }

    private func tell() async throws(TapedeckError) {
        switch action {
        case .health: output.show(try await control.health(session: wishes.session), ControlView.health)
        case .routes: output.show(try await control.routes(session: wishes.session), ControlView.routes)
        case .scenarios: output.show(try await control.scenarios(session: wishes.session), ControlView.scenarios)
        case .metrics: output.console.out(octets: try await control.metrics())
        case .openAPI: output.console.out(octets: try await control.openAPI())
        case .schema: output.console.out(octets: try await control.configurationSchema())
        case .wait: output.show(try await control.waitUntilReady(for: patience), ControlView.health)
        default:
            let output = output
            try await control.events(session: wishes.session) { event in
                output.show(event)
                return true
            }
        }
    }

    private func change() async throws(TapedeckError) {
        let session = wishes.session
        switch action {
        case .chooseScenario(let scenario, let atOnce):
            output.show(
                try await control.choose(scenario: scenario, atOnce: atOnce, session: session), ControlView.scenarios)
        case .chooseVariant(let variant, let route):
            output.show(try await control.choose(variant: variant, ofRoute: route, session: session)) {
                ControlView.routes([$0], color: $1)
            }
        case .latency(let latency):
            output.show(try await control.set(latency: latency, session: session)) { choice, _ in
                ["latency \(choice.latency)"]
            }
        case .offline(let offline):
            output.show(try await control.set(offline: offline, session: session)) { choice, _ in
                ["offline \(choice.offline ? "on" : "off")"]
            }
        case .expireToken:
            output.show(try await control.expireToken(session: session)) { report, _ in
                ["tokens to expire: \(report.pending)"]
            }
        case .reset: output.show(try await control.reset(session: session), ControlView.health)
        default: output.show(try await control.reload(), ControlView.reload)
        }
    }

    private func account() async throws(TapedeckError) -> Bool {
        switch action {
        case .sessions:
            output.show(try await control.sessions(), ControlView.sessions)
        case .makeSession(let name, let cassette):
            var wish = wishes.made
            (wish.name, wish.cassette) = (name, cassette)
            output.show([try await control.makeSession(wish)], ControlView.sessions)
        case .closeSession(let name):
            let report = try await control.closeSession(name, failed: wishes.hasFailed)
            output.show(report, ControlView.verdict)
            return report.passed
        case .journal(let session):
            output.show(
                try await control.journal(wishes.filter, session: session ?? wishes.session), ControlView.journal)
        case .check(let document):
            let result =
                if let document {
                    try await control.check(json: document, session: wishes.session)
                } else {
                    try await control.check(wishes.assertion, session: wishes.session)
                }
            output.show(result, ControlView.assertion)
            return result.passed
        default:
            let report = try await control.stop()
            output.show(report, ControlView.verdict)
            return report.passed
        }
        return true
    }
}
