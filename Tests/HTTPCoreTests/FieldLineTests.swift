import HTTPCore
import Testing

/// RFC 9112 §5 and RFC 9110 §5.
@Suite struct FieldLineTests {
    @Test(arguments: [
        ("A:b", "A", "b"), ("A: b", "A", "b"), ("X-Pad:   a  b \t ", "X-Pad", "a  b"), ("X-Empty:", "X-Empty", ""),
        ("X-Empty: \t", "X-Empty", ""), ("A:b:c", "A", "b:c"), ("A: b\r\n", "A", "b"),
        ("a!#$%&'*+-.^_`|~9: \u{FC}", "a!#$%&'*+-.^_`|~9", "\u{FC}"), ("T: a\tb\tc", "T", "a\tb\tc"),
    ])
    func takesALine(line: String, name: String, value: String) throws {
        var fields = Fields([("Before", "1")])
        try parseFieldLine(octets(line)[...], into: &fields)
        #expect(fields.count == 2)
        #expect(text(fields.name(at: 1)) == name)
        #expect(text(fields.value(at: 1)) == value)
    }

    @Test(arguments: [
        (" A: b", "obs-fold"), ("\tA: b", "obs-fold"), ("A : b", "space-in-name"), ("A\t: b", "space-in-name"),
        (": b", "field-name"), ("A", "no-colon"), ("", "no-colon"), ("A(: b", "field-name"),
        ("\u{FC}: b", "field-name"),
        ("A: b\rc", "bare-cr"), ("A: b\r", "bare-cr"), ("A: b\n", "bare-lf"), ("A: b\r\r\n", "bare-cr"),
        ("A: b\0", "nul"), ("A: \u{1}", "field-value"), ("A: \u{7F}", "field-value"), ("A: b\r\n c\r\n", "bare-cr"),
        ("A\r\n", "no-colon"), ("A\0: b", "field-name"),
    ])
    func refusesALine(line: String, label: String) {
        var fields = Fields([("Before", "1")])
        let error = parseError { () throws(ParseError) in try parseFieldLine(octets(line)[...], into: &fields) }
        #expect(error?.status == 400)
        #expect(error?.label == label)
        #expect(fields == Fields([("Before", "1")]))
    }

    @Test func namesAreTokensAndNothingElse() {
        let tokens = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
        for octet in UInt8.min...UInt8.max {
            var fields = Fields()
            let line: Bytes = [0x41, octet, 0x42, 0x3A, 0x63]
            let error = parseError { () throws(ParseError) in try parseFieldLine(line[...], into: &fields) }
            #expect((error == nil) == (tokens.contains(octet) || octet == 0x3A), "octet \(octet)")
        }
    }

    @Test func valuesTakeTabAndAllButControls() {
        for octet in UInt8.min...UInt8.max {
            // Long enough for the scan by words and for the one by octets.
            for place in 2..<20 {
                var line = octets("A:0123456789abcdefg")
                line[min(place, line.count - 1)] = octet
                var fields = Fields()
                let error = parseError { () throws(ParseError) in try parseFieldLine(line[...], into: &fields) }
                let isLegal = octet == 0x09 || (octet >= 0x20 && octet != 0x7F)
                #expect((error == nil) == isLegal, "octet \(octet) at \(place)")
            }
        }
    }

    @Test func messagesDoNotQuoteValues() {
        var fields = Fields()
        let line = octets("Authorization: Bearer hunter2\u{1}")
        let error = parseError { () throws(ParseError) in try parseFieldLine(line[...], into: &fields) }
        #expect(error?.message.contains("hunter2") == false)
    }
}
