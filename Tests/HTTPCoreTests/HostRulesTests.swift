import HTTPCore
import Testing

/// RFC 9112 §3.2 and §3.2.2.
@Suite struct HostRulesTests {
    private func error(_ hosts: [String], _ target: String = "/", _ version: HTTPVersion = .http11) -> ParseError? {
        parseError { () throws(ParseError) in
            let head = RequestHead(
                method: "GET", target: octets(target), version: version, fields: Fields(hosts.map { ("Host", $0) }))
            try validateHost(head, target: try RequestTarget.parse(head.target, method: head.method))
        }
    }

    @Test func takesOneValidHost() {
        #expect(error(["api.example.test"]) == nil)
        #expect(error(["[::1]:4750"]) == nil)
        #expect(error(["localhost"], "/", .http10) == nil)
    }

    @Test func oldRequestsNeedNone() {
        #expect(error([], "/", .http10) == nil)
    }

    @Test func absoluteTargetsMayDiffer() {
        #expect(error(["other.example.test"], "http://a/") == nil)
    }

    @Test(arguments: [
        ([], "no-host"), (["a", "a"], "two-hosts"), (["a", "b"], "two-hosts"), ([""], "invalid-host"),
        (["a b"], "invalid-host"), (["a, b"], "invalid-host"), (["http://a"], "invalid-host"),
        (["u@a"], "invalid-host"),
        (["a/b"], "invalid-host"), (["a:99999"], "invalid-host"),
    ])
    func refuses(hosts: [String], label: String) {
        for target in ["/", "http://a/"] {
            #expect(error(hosts, target)?.status == 400)
            #expect(error(hosts, target)?.label == label)
        }
    }

    @Test func oldRequestsCantHaveTwo() {
        #expect(error(["a", "a"], "/", .http10)?.label == "two-hosts")
    }
}
