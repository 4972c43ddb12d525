import HTTPCore
import Testing

@Suite struct FieldsTests {
    @Test func keepsOrderCaseAndRepeats() {
        let fields = Fields([("X-Req", "1"), ("x-MiXeD", "q"), ("X-REQ", "2")])
        #expect(fields.count == 3)
        #expect(text(fields.name(at: 1)) == "x-MiXeD")
        #expect(text(fields.line(at: 2)) == "X-REQ: 2")
        #expect(fields.all("x-req").map { text($0) } == ["1", "2"])
    }

    @Test func findsNamesInAnyCase() {
        let fields = Fields([("Content-Type", "a/b"), ("ETag", "1")])
        #expect(fields.firstIndex(of: "etag") == 1)
        #expect(fields.text("CONTENT-TYPE") == "a/b")
        #expect(fields.isName("content-type", at: 0))
        #expect(!fields.isName("content-typ", at: 0))
        #expect(fields.first("X") == nil)
        #expect(!fields.contains("Content-Types"))
    }

    @Test func doesNotTakeOtherOctetsForCapitals() {
        // `@` and `` ` `` differ by the same bit as a capital and its small letter, `[` and `{` too.
        let fields = Fields([("a^", "1"), ("b`", "2")])
        #expect(!fields.contains("a~"))
        #expect(!fields.contains("b@"))
    }

    @Test(arguments: [
        ("keep-alive, Upgrade", true), ("upgrade", true), (" ,UPGRADE ,", true), ("upgraded", false), ("", false),
        ("x upgrade", false),
    ])
    func findsTokensInLists(value: String, expected: Bool) {
        #expect(Fields([("Connection", value)]).hasToken("connection", "upgrade") == expected)
        #expect(Fields([("Connection", "x"), ("Connection", value)]).hasToken("connection", "upgrade") == expected)
    }

    @Test func removesEveryLineWithTheName() {
        var fields = Fields([("A", "1"), ("B", "2"), ("a", "3"), ("C", "4")])
        fields.remove("A")
        #expect(fields == Fields([("B", "2"), ("C", "4")]))
        fields.remove("Z")
        #expect(fields.count == 2)
    }

    @Test func setsInPlaceAndDropsTheOthers() {
        var fields = Fields([("A", "1"), ("b", "2"), ("B", "3"), ("C", "4")])
        fields.set("B", "9")
        #expect(fields == Fields([("A", "1"), ("b", "9"), ("C", "4")]))
        fields.set("D", "5")
        #expect(text(fields.line(at: 3)) == "D: 5")
    }

    @Test func replacesAValueAndKeepsTheNameAsSpelled() {
        var fields = Fields([("x-A", "old"), ("B", "2")])
        fields.replaceValue(at: 0, with: octets("much longer than before"))
        #expect(text(fields.line(at: 0)) == "x-A: much longer than before")
        #expect(text(fields.line(at: 1)) == "B: 2")
    }

    @Test func filtersByIndex() {
        let fields = Fields([("A", "1"), ("B", "2"), ("C", "3")])
        #expect(fields.filtered { $0 != 1 } == Fields([("A", "1"), ("C", "3")]))
    }

    @Test func equalityIgnoresHowFieldsWereBuilt() {
        var left = Fields([("A", "1"), ("B", "2")])
        left.replaceValue(at: 0, with: octets("7"))
        let right = Fields([("A", "7"), ("B", "2")])
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left != Fields([("a", "7"), ("B", "2")]))
        #expect(left != Fields([("B", "2"), ("A", "7")]))
        #expect(Fields([("ab", "c")]) != Fields([("a", "bc")]))
    }

    @Test func trimsBlanksAroundAValueAndKeepsThoseWithin() {
        let fields = Fields([("A", " \t a  b \t"), ("B", "  ")])
        #expect(text(fields.value(at: 0)) == "a  b")
        #expect(fields.value(at: 1).isEmpty)
    }

    @Test func nothingAppendedCanEndALineOrAName() {
        var fields = Fields([("X: y\r\nEvil", "1\r\nSet-Cookie: a\0b")])
        fields.replaceValue(at: 0, with: octets("2\nNext: 3"))
        fields.append("A", "1\r\nB: 2")
        for index in 0..<fields.count {
            let line = fields.line(at: index)
            #expect(!line.contains { $0 < 0x20 || $0 == 0x7F })
            var again = Fields()
            #expect(throws: Never.self) { try parseFieldLine(line[...], into: &again) }
        }
        #expect(text(fields.name(at: 0)) == "X__y__Evil")
        #expect(text(fields.value(at: 1)) == "1  B: 2")
    }

    @Test func describesValuesByLengthAlone() {
        let fields = Fields([("Authorization", "Bearer abc123")])
        #expect("\(fields)" == "[Authorization (13 octets)]")
    }
}
