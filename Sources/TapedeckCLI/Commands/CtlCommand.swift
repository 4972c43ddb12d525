import ControlAPI
import DeckRules
import TapedeckClient

/// `tapedeck ctl`: one action on a running deck.
struct CtlCommand: Sendable {
    private let action: CtlAction
    private let control: DeckControl
    private let patience: Duration
    private let output: ControlOutput

    /// - Throws: `UsageError` for words or values that are not understood.
    init(_ settings: Settings, _ console: Console) throws(UsageError) {
        action = try CtlAction(settings.arguments.operands)
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
            return try await perform()
        } catch {
            let status = error.code == .refused ? ExitStatus.usage : ExitStatus.start
            throw CommandError(status: status, error.message, advice: error.advice)
        }
    }

    private func perform() async throws(TapedeckError) -> Int32 {
        switch action {
        case .health:
            output.show(try await control.health(), ControlView.health)
        case .sessions:
            output.show(try await control.sessions(), ControlView.sessions)
        case .makeSession(let name, let cassette):
            let state = try await control.makeSession(SessionRequest(name: name, cassette: cassette))
            output.show([state], ControlView.sessions)
        case .closeSession(let name):
            let report = try await control.closeSession(name)
            output.show(report, ControlView.verdict)
            return report.passed ? ExitStatus.fine : ExitStatus.failed
        case .journal(let session):
            output.show(try await control.journal(session: session), ControlView.journal)
        case .routes:
            output.show(try await control.routes(), ControlView.routes)
        case .scenarios:
            output.show(try await control.scenarios(), ControlView.scenarios)
        case .chooseScenario(let scenario):
            output.show(try await control.choose(scenario: scenario), ControlView.scenarios)
        case .chooseVariant(let variant, let route):
            output.show(try await control.choose(variant: variant, ofRoute: route)) {
                ControlView.routes([$0], color: $1)
            }
        case .latency(let latency):
            output.show(try await control.set(latency: latency)) { choice, _ in ["latency \(choice.latency)"] }
        case .offline(let offline):
            output.show(try await control.set(offline: offline)) { choice, _ in
                ["offline \(choice.offline ? "on" : "off")"]
            }
        case .expireToken:
            output.show(try await control.expireToken()) { report, _ in
                ["tokens to expire: \(report.pending)"]
            }
        case .reset:
            output.show(try await control.reset(), ControlView.health)
        case .reload:
            output.show(try await control.reload(), ControlView.reload)
        case .events:
            let output = output
            try await control.events { event in
                output.show(event)
                return true
            }
        case .metrics:
            output.console.out(octets: try await control.metrics())
        case .openAPI:
            output.console.out(octets: try await control.openAPI())
        case .stop:
            let report = try await control.stop()
            output.show(report, ControlView.verdict)
            return report.passed ? ExitStatus.fine : ExitStatus.failed
        case .wait:
            output.show(try await control.waitUntilReady(for: patience), ControlView.health)
        }
        return ExitStatus.fine
    }
}
