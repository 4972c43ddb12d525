import CassetteKit
import DeckEngine
import HTTPCore
import SystemIO
import TapedeckClient
import Transport

/// `tapedeck demo`: records a built-in backend, replays it without it, and breaks it on purpose.
struct DemoCommand: Sendable {
    /// Where the cassette is left; nil leaves nothing.
    private let keep: String?
    private let console: Console
    private let poller: PollerKind
    private let clock = WallClock.system

    /// - Throws: `UsageError` for a poller that this machine does not have.
    init(_ settings: Settings, _ console: Console) throws(UsageError) {
        keep = settings.value(Options.keep)?.text
        self.console = console
        poller = try PollerKind.ofProcess(settings.variables)
    }

    /// - Throws: `CommandError` where there is no folder to work in.
    func run() async throws -> Int32 {
        let folder = try workFolder()
        defer { if keep == nil { try? Files.removeTree(folder) } }
        let page = DemoPage(console: console)
        console.out("tapedeck demo: an app, its backend, and tapedeck between them")
        do throws(DemoFailure) {
            let secrets = DemoSecrets(seed: UInt64(bitPattern: clock.now()))
            let decks = DemoDecks(cassette: keep ?? folder + "/demo", isKept: keep != nil, poller: poller)
            let story = DemoStory(
                decks: decks, page: page, secrets: secrets, comparison: DemoComparison(secrets: secrets.all))
            try await story.tell(clock)
            console.out("")
            console.out("Next: tapedeck record --upstream https://your.backend cassettes/first")
            return ExitStatus.fine
        } catch {
            page.failure(error)
            return ExitStatus.failed
        }
    }

    private func workFolder() throws -> String {
        if let keep { return keep }
        let random = UInt32.random(in: .min ... .max)
        let folder = try Files.realPath("/tmp") + "/tapedeck-demo-" + String(random, radix: 16)
        do {
            try Files.makeDirectories(folder)
        } catch {
            throw CommandError(status: ExitStatus.start, "no folder for the demo: \(error)", advice: "--keep DIR")
        }
        return folder
    }
}
