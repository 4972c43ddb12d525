import HTTPCore
import TestSupport
import Testing

@testable import CassetteKit

@Suite struct NamesTests {
    @Test(
        arguments: [
            ("GET", "/api/v1/items", nil, "get-api-v1-items"), ("POST", "/graphql", "Viewer", "post-graphql-viewer"),
            ("GET", "/", nil, "get"), ("OPTIONS", "*", nil, "options"), ("GET", "/a//b/./../c", nil, "get-a-b-c"),
            ("GET", "/%2e%2e/%2Fetc%00/x", nil, "get-etc-x"), ("GET", "/index.html?x=/../y", nil, "get-index.html"),
            ("GET", "/Ünï/A_b", nil, "get-n-a_b"), ("M-SEARCH", "/x", nil, "m-search-x"), ("!", "/é", nil, "request"),
            ("GET", "/-a-/.b./c:d", nil, "get-a-b.-c-d"), ("GET", "/.git/config", nil, "get-git-config"),
        ] as [(String, String, String?, String)])
    func stemsAreForPeople(_ method: String, _ target: String, _ operation: String?, _ stem: String) {
        #expect(Names.stem(method: method, target: Bytes(target.utf8), operation: operation) == stem)
    }

    @Test func longStemsAreCutAndStayApart() {
        let common = "/" + String(repeating: "abc/", count: 60)
        let one = Names.stem(method: "GET", target: Bytes((common + "1").utf8))
        let two = Names.stem(method: "GET", target: Bytes((common + "2").utf8))
        #expect(one != two)
        #expect(one.utf8.count <= 100)
        #expect(one.hasPrefix("get-abc-abc-"))
        #expect(Names.interaction(stem: one, digits: "5f0c1a", ordinal: 123_456).utf8.count <= 120)
    }

    @Test func noRequestChoosesAFolder() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let target = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let stem = Names.stem(method: "GET", target: target, operation: "../x")
            #expect(Names.isBodyName(stem), "\(stem)")
        }
    }

    @Test(arguments: [
        ("get-x.5f0c1a.3.json", 3), ("get-x.5f0c1a.012.json", 12), ("mine.json", 1), ("get-index.html.json", 1),
        ("x.0.json", 1), ("x.99999999999999999999.json", 1), ("x.-1.json", 1), ("1.json", 1),
    ])
    func theOrdinalIsTheLastPart(_ name: String, _ ordinal: Int) {
        #expect(Names.ordinal(of: name) == ordinal)
    }

    @Test func equalRequestsShareAFamily() {
        #expect(Names.family(of: "get-x.5f0c1a.3.json") == "get-x.5f0c1a")
        #expect(Names.family(of: "Mine.json") == "mine")
    }
}
