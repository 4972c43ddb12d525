import CassetteKit
import DeckEngine
import HTTPCore
import SystemIO
import TapedeckClient

extension DemoStory {
    /// Takes the app's steps through a deck that records.
    ///
    /// - Returns: what the app got, and how many secrets were hidden.
    func record(_ clock: WallClock) async throws(DemoFailure) -> (visits: [DemoFlow.Visit], hidden: Int) {
        page.chapter(1, "Record", "the app talks to its backend through tapedeck")
        let server: DemoServer
        do {
            server = try DemoServer(DemoBackend(secrets: secrets), poller: decks.poller, clock: clock)
        } catch {
            throw DemoFailure("backend", "it could not be started: \(error)")
        }
        let outcome = await recordFlow(server)
        await server.stop()
        let (visits, report) = try outcome.get()
        guard let record = report.record else {
            throw DemoFailure("record", "the deck gave no summary of what it stored")
        }
        page.blank()
        let place = decks.isKept ? decks.cassette : "a temporary folder (--keep DIR leaves them there)"
        page.line("\(visits.count) interactions are in \(place)")
        page.line("hidden in them, by rule and place:")
        page.hidden(record.hidden)
        return (visits, record.hidden.map(\.count).reduce(0, +))
    }

    private func recordFlow(_ server: DemoServer) async -> Result<([DemoFlow.Visit], RunReport), DemoFailure> {
        do throws(DemoFailure) {
            let deck = try await decks.record(backendPort: server.port)
            let flow = try flow(to: deck)
            do throws(DemoFailure) {
                let (visits, _) = try await flow.run { page.step($0, DemoPage.summary(of: $0.response)) }
                return .success((visits, await deck.stop()))
            } catch {
                _ = await deck.stop()
                throw error
            }
        } catch {
            return .failure(error)
        }
    }

    /// The app, pointed at a deck.
    func flow(to deck: Deck) throws(DemoFailure) -> DemoFlow {
        guard let port = deck.proxyURL.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw DemoFailure("start", "the deck's address \(deck.proxyURL) has no port")
        }
        return DemoFlow(
            client: WireClient(host: "127.0.0.1", port: port, timeout: .seconds(10)), password: secrets.password)
    }

    /// Looks for this run's secrets in every file of the cassette.
    ///
    /// - Returns: how many files were searched.
    func searchForSecrets() throws(DemoFailure) -> Int {
        var files = 0
        for folder in [decks.cassette, CassetteFolder(decks.cassette).interactions] {
            do {
                for name in try Files.list(folder) where Files.isFile("\(folder)/\(name)") {
                    files += 1
                    if comparison.isLeak(try Files.read("\(folder)/\(name)")) {
                        throw DemoFailure("record", "a secret of this run stands in \(folder)/\(name)")
                    }
                }
            } catch let error as DemoFailure {
                throw error
            } catch {
                throw DemoFailure("record", "the cassette cannot be read: \(error)")
            }
        }
        return files
    }
}
