package import CassetteKit
import SystemIO
import Transport

extension KeyRules {
    /// How a deck with a configuration would tell the requests of some cassettes apart; for who only reads them.
    ///
    /// - Throws: `DeckError` where rules or secrets of the configuration can't be read.
    package init(reading cassettes: [Cassette], under configuration: Configuration) throws {
        let options = DeckOptions(mode: .replay, configuration: configuration)
        let environment = DeckEnvironment(
            wallClock: .system, loopClock: .system, loops: 1, poller: .epoll, log: { _ in })
        self = try DeckBuilder.keyRules(options, environment, cassettes)
    }
}
