import HTTPCore
import Testing

@testable import DeckEngine

/// Which requests are let through at all.
@Suite struct GateTests {
    private func status(
        _ host: String, allowed: [String]?, isForward: Bool = true, connects: Bool = true, isLoopback: Bool = true
    ) throws -> Int? {
        let gate = Gate(
            allowed: try allowed?.map { try HostPattern($0) }, connects: connects, isLoopback: isLoopback)
        let address = Address(
            scheme: "https", authority: try Authority.parse(host.utf8), target: Array("/".utf8), isForward: isForward)
        let head = RequestHead(method: "GET", target: Array("/".utf8), version: .http11, fields: Fields())
        return gate.problem(for: address, head)?.status
    }

    @Test(arguments: [
        ("api.staging.test", true), ("staging.test", false), ("api.staging.test:8443", true), ("evil.test", false),
        ("xstaging.test", false), ("exact.test", true), ("a.exact.test", false),
    ])
    func onlyAllowedUpstreamsAreReached(host: String, isAllowed: Bool) throws {
        let status = try status(host, allowed: ["*.staging.test", "exact.test"])
        #expect(status == (isAllowed ? nil : 403))
    }

    @Test func beyondLoopbackADeckIsNoOpenProxy() throws {
        #expect(try status("api.test", allowed: nil, isLoopback: false) == 403)
        #expect(try status("api.test", allowed: ["api.test"], isLoopback: false) == nil)
        #expect(try status("api.test", allowed: nil, isForward: false, isLoopback: false) == nil)
    }

    @Test func replayReachesNobodySoItLetsEverythingThrough() throws {
        #expect(try status("evil.test", allowed: ["api.test"], connects: false, isLoopback: false) == nil)
    }
}
