import HTTPCore
import Testing

@Suite struct QueryTests {
    @Test func splitsAtAmpersandsAndFirstEquals() {
        let items = splitQuery(octets("a=1&b&c=&=d&e=f=g&a=2;x=3&"))
        let expected: [(String, String?)] = [
            ("a", "1"), ("b", nil), ("c", ""), ("", "d"), ("e", "f=g"), ("a", "2;x=3"), ("", nil),
        ]
        #expect(items == expected.map { QueryItem(name: octets($0.0), value: $0.1.map { octets($0) }) })
    }

    @Test func anEmptyQueryHasNoItems() {
        #expect(splitQuery(Bytes()).isEmpty)
    }

    @Test(arguments: ["", "a", "a=", "=", "&", "a&&b", "a=1&b=2&", "%zz=%&+=+", "a;b;c", "a=b=c", "\u{FC}=1"])
    func joiningGivesTheSameOctets(query: String) {
        #expect(text(joinQuery(splitQuery(octets(query)))) == query)
    }

    @Test(arguments: [
        ("a%20b", false, "a b"), ("a+b", false, "a+b"), ("a+b%2B", true, "a b+"), ("%2520", false, "%20"),
        ("%zz%", false, "%zz%"), ("%4", false, "%4"), ("%4%41", false, "%4A"), ("%c3%BC", false, "\u{FC}"),
        ("", true, ""),
    ])
    func decodesEscapesOnce(input: String, plusIsSpace: Bool, expected: String) {
        #expect(percentDecode(octets(input), plusIsSpace: plusIsSpace) == octets(expected))
    }

    @Test func decodesToOctetsThatAreNotUTF8() {
        #expect(percentDecode(octets("%ff%00"), plusIsSpace: false) == [0xFF, 0x00])
    }

    @Test(arguments: [
        ("/a%2fb", "/a%2Fb"), ("%41%7e%2d%2E%5f%30", "A~-._0"), ("%2520", "%2520"), ("%zz%", "%zz%"),
        ("//./%2F", "//./%2F"),
        ("%25%34%31", "%2541"), ("+%2b", "+%2B"), ("%e9", "%E9"), ("%00", "%00"),
        // A digit behind a stray `%` would make a new escape.
        ("%%341", "%%341"), ("%4%31", "%4%31"), ("%%2d1", "%-1"),
    ])
    func normalizesEscapesAlone(input: String, expected: String) {
        let once = normalizePercent(octets(input))
        #expect(text(once) == expected)
        #expect(normalizePercent(once) == once)
    }
}
