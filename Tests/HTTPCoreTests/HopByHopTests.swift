import HTTPCore
import Testing

/// RFC 9110 §7.6.1.
@Suite struct HopByHopTests {
    @Test func dropsWhatConcernsOneConnection() {
        let fields = Fields([
            ("Host", "a"), ("Connection", "close, X-Hop"), ("Keep-Alive", "timeout=5"),
            ("Proxy-Connection", "keep-alive"),
            ("TE", "trailers"), ("Transfer-Encoding", "chunked"), ("Upgrade", "h2c"), ("Trailer", "X"),
            ("Proxy-Authorization", "Basic x"), ("Proxy-Authenticate", "Basic"), ("x-hop", "1"), ("X-Hop2", "2"),
            ("Authorization", "b"),
        ])
        let expected = Fields([("Host", "a"), ("Trailer", "X"), ("X-Hop2", "2"), ("Authorization", "b")])
        #expect(removeHopByHop(fields, keepTE: false) == expected)
    }

    @Test(
        arguments: [
            ("trailers", "trailers"), ("gzip, Trailers;q=0.5", nil), ("gzip, trailers", "trailers"), ("gzip", nil),
        ] as [(String, String?)])
    func keepsTEForTrailersAlone(value: String, kept: String?) {
        let fields = Fields([("A", "1"), ("te", value), ("TE", "x"), ("B", "2")])
        let result = removeHopByHop(fields, keepTE: true)
        #expect(result.text("TE") == kept)
        #expect(result.all("TE").count == (kept == nil ? 0 : 1))
        #expect(text(result.name(at: 0)) == "A" && text(result.name(at: result.count - 1)) == "B")
    }

    @Test func framingAndHostCantBeNamedAway() {
        let fields = Fields([
            ("Host", "a"), ("Content-Length", "5"), ("Connection", "Host, content-length"), ("X", "1"),
        ])
        let expected = Fields([("Host", "a"), ("Content-Length", "5"), ("X", "1")])
        #expect(removeHopByHop(fields, keepTE: false) == expected)
    }

    @Test func namesFromEveryConnectionLineCount() {
        let fields = Fields([("Connection", "A"), ("a", "1"), ("connection", "b"), ("B", "2"), ("C", "3")])
        #expect(removeHopByHop(fields, keepTE: false) == Fields([("C", "3")]))
    }
}
