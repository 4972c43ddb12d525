import DeckEngine
import DeckRules
import SystemIO
import TestSupport
import Testing
import Transport

@testable import TapedeckCLI

@Suite struct RunOptionsReaderTests {
    private func read(
        _ arguments: [String], _ variables: [String: String] = [:], configuration: String = #"{"version": 1}"#
    ) throws -> RunOptions {
        let folder = try TemporaryDirectory()
        try Files.writeAtomically(Array(configuration.utf8), to: folder.file("deck.json"))
        let words = [arguments[0], "--config", folder.file("deck.json")] + arguments.dropFirst()
        let parsed = try ArgumentParser(commands: Commands.all).parse(words)
        let mode = try #require(DeckOptions.Mode(rawValue: arguments[0]))
        return try RunOptionsReader(Settings(parsed, variables: variables)).read(mode)
    }

    @Test func flagBeatsVariableBeatsFileBeatsDefault() throws {
        let file = #"{"version": 1, "listen": "localhost:3", "seed": 3, "missStatus": 403}"#
        let variables = ["TAPEDECK_LISTEN": "localhost:2", "TAPEDECK_SEED": "2"]
        let all = try read(["replay", "--listen", "localhost:1"], variables, configuration: file)
        #expect(all.deck.listen.port == 1)
        #expect(all.deck.seed == 2)
        #expect(all.deck.missStatus == 403)
        let none = try read(["replay"])
        #expect(none.deck.listen.port == 4750)
        #expect(none.deck.control?.port == 4751)
        #expect(none.deck.missStatus == 599)
    }

    @Test func readsUpstreamsWithAndWithoutNames() throws {
        let options = try read(["record", "--upstream", "https://a.example/", "--upstream=auth=http://b:81", "c"])
        #expect(
            options.deck.upstreams == [
                NamedUpstream(name: nil, url: "https://a.example"), NamedUpstream(name: "auth", url: "http://b:81"),
            ])
        #expect(options.deck.cassette == "c")
    }

    @Test(arguments: [
        (["record", "--upstream", "ftp://a", "c"], "--upstream"),
        (["record", "--upstream", "a b=http://a", "c"], "name"),
        (["replay", "--listen", "nonsense"], "HOST:PORT"), (["replay", "--latency", "soon"], "no latency"),
        (["replay", "--log", "xml"], "text, json"), (["replay", "--strict=mises"], "mises"),
        (["passthrough"], "needs an upstream"), (["record", "--mode", "some", "c"], "all, new, once"),
        (["replay", "--miss-status", "200"], "400"),
    ])
    func refusesWhatItCannotFollow(arguments: [String], named: String) {
        let error = #expect(throws: UsageError.self) { try read(arguments) }
        #expect(error?.message.contains(named) == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        (["replay"], Set<StrictCheck>()), (["replay", "--strict"], Set(StrictCheck.allCases)),
        (["replay", "--strict=misses"], Set([StrictCheck.misses])),
        (["replay", "--strict=misses,unused"], Set([StrictCheck.misses, .unused])),
    ])
    func readsStrictChecks(arguments: [String], checks: Set<StrictCheck>) throws {
        #expect(try read(arguments).deck.strict == checks)
    }

    @Test(arguments: [("1", Set(StrictCheck.allCases)), ("0", Set()), ("unused", Set([StrictCheck.unused]))])
    func readsStrictFromItsVariable(text: String, checks: Set<StrictCheck>) throws {
        #expect(try read(["replay"], ["TAPEDECK_STRICT": text]).deck.strict == checks)
    }

    @Test(arguments: [
        ("localhost:0", "localhost", 0), ("127.0.0.1:65535", "127.0.0.1", 65_535), ("[::1]:80", "[::1]", 80),
        ("Deck.Example:1", "deck.example", 1),
    ])
    func readsAddresses(text: String, host: String, port: Int) throws {
        #expect(try read(["replay", "--listen", text]).deck.listen == ListenAddress(host: host, port: port))
    }

    @Test(arguments: ["localhost", "localhost:", ":80", "localhost:+1", "localhost:65536", "a b:1", "::1:80", "80"])
    func refusesWhatIsNoAddress(text: String) {
        #expect(throws: UsageError.self) { try read(["replay", "--listen=\(text)"]) }
    }

    @Test func controlCanBeOff() throws {
        #expect(try read(["replay", "--control", "off"]).deck.control == nil)
    }

    @Test(arguments: ["1", "true", "whatever"])
    func replayOnlyRefusesWhatConnects(value: String) {
        let variables = ["TAPEDECK_REPLAY_ONLY": value]
        for arguments in [["record", "c"], ["passthrough", "--upstream", "http://a"]] {
            let error = #expect(throws: UsageError.self) { try read(arguments, variables) }
            #expect(error?.message.contains("TAPEDECK_REPLAY_ONLY") == true)
        }
    }

    @Test(arguments: ["", "0", "false"])
    func replayOnlyCanBeSwitchedOff(value: String) throws {
        #expect(try read(["record", "c"], ["TAPEDECK_REPLAY_ONLY": value]).deck.mode == .record)
        #expect(try read(["replay"], ["TAPEDECK_REPLAY_ONLY": "1"]).deck.mode == .replay)
    }

    @Test func inCIOnceOnlyReplays() throws {
        let folder = try TemporaryDirectory()
        let variables = ["CI": "true"]
        #expect(throws: UsageError.self) { try read(["record", "--mode", "once", folder.path], variables) }
        try Files.writeAtomically([], to: folder.file("cassette.json"))
        #expect(try read(["record", "--mode", "once", folder.path], variables).deck.mode == .replay)
        #expect(try read(["record", "--mode", "once", folder.path]).deck.mode == .record)
        #expect(try read(["record", "--mode", "new", folder.path], variables).deck.mode == .record)
    }

    @Test func theCommandUsesTheDeckAsAProxyOnlyWhereThatIsMeant() throws {
        #expect(try read(["record", "c", "--", "true"]).isProxyForCommand)
        #expect(!(try read(["record", "--upstream", "http://a", "c", "--", "true"]).isProxyForCommand))
        let configured = #"{"version": 1, "upstream": "http://a"}"#
        #expect(!(try read(["record", "c", "--", "true"], configuration: configured).isProxyForCommand))
        #expect(try read(["replay", "--proxy-env", "c"]).isProxyForCommand)
        #expect(!(try read(["replay", "c"]).isProxyForCommand))
        let folder = try TemporaryDirectory()
        let manifest = #"{"version": 1, "form": "forward"}"#
        try Files.writeAtomically(Array(manifest.utf8), to: folder.file("cassette.json"))
        #expect(try read(["replay", folder.path]).isProxyForCommand)
    }
}
