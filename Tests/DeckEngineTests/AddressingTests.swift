import HTTPCore
import Testing

@testable import DeckEngine

/// Where requests go, by target and Host alone (RFC 9112 §3.2).
@Suite struct AddressingTests {
    private func addressing(home: String?, connects: Bool) throws -> Addressing {
        Addressing(
            home: try home.map { ("http", try Authority.parse($0.utf8)) }, ownPort: 4750, controlPort: 4751,
            adviceWithoutHome: "Give --upstream.", connects: connects)
    }

    private func destination(
        _ line: String, host: String = "localhost:4750", home: String? = "api.test", connects: Bool = true
    ) throws -> Destination {
        let words = line.split(separator: " ")
        let target = Array(words[1].utf8)
        let head = RequestHead(
            method: String(words[0]), target: target, version: .http11, fields: Fields([("Host", host)]))
        return try addressing(home: home, connects: connects)
            .destination(of: head, try RequestTarget.parse(target, method: String(words[0])))
    }

    @Test(arguments: [
        // Request line, authority and target upstream, whether the client named the host.
        ("GET /a?b=1", "api.test", "/a?b=1", false),
        ("GET /a/../b//c", "api.test", "/a/../b//c", false),
        ("OPTIONS *", "api.test", "*", false),
        ("GET http://other.test/x", "other.test", "/x", true),
        ("GET http://other.test:81/x?y", "other.test:81", "/x?y", true),
        ("GET http://other.test", "other.test", "/", true),
        ("GET http://other.test?q=1", "other.test", "/?q=1", true),
        ("OPTIONS http://other.test", "other.test", "*", true),
        ("GET https://other.test/x", "other.test", "/x", true),
        // The deck's own address is taken as if the client had sent the origin form.
        ("GET http://localhost:4750/a", "api.test", "/a", false),
        ("GET http://127.0.0.1:4750/a", "api.test", "/a", false),
        ("GET http://[::1]:4750/a", "api.test", "/a", false),
    ])
    func requestsGoToTheirOwnHostOrHome(line: String, authority: String, target: String, isForward: Bool) throws {
        guard case .upstream(let address) = try destination(line) else { return #expect(Bool(false), "\(line)") }
        #expect(address.authority.text == authority)
        #expect(String(decoding: address.target, as: UTF8.self) == target)
        #expect(address.isForward == isForward)
    }

    @Test func theControlListenersAddressIsHandedToIt() throws {
        #expect(try destination("GET http://localhost:4751/health") == .control(Array("/health".utf8)))
    }

    @Test func connectIsATunnel() throws {
        #expect(try destination("CONNECT api.test:443") == .tunnel(Authority(host: "api.test", port: 443)))
    }

    @Test func aRequestThatWouldComeBackIsALoop() throws {
        guard case .refused(let problem) = try destination("GET /", home: "localhost:4750") else {
            return #expect(Bool(false), "it would go round and round")
        }
        #expect(problem.status == 508)
    }

    @Test func aLiveModeWithoutUpstreamSaysWhatToType() throws {
        guard case .refused(let problem) = try destination("GET /", home: nil) else {
            return #expect(Bool(false), "there is nowhere to go")
        }
        #expect(problem.status == 421)
        #expect(problem.detail.contains("--upstream"))
    }

    @Test(arguments: [("api.other.test", "api.other.test"), ("localhost:4750", "localhost")])
    func replayWithoutUpstreamTakesTheHostThatTheClientNames(host: String, authority: String) throws {
        guard case .upstream(let address) = try destination("GET /a", host: host, home: nil, connects: false) else {
            return #expect(Bool(false), "routes can answer any host")
        }
        #expect(address.authority.text == authority)
    }
}
