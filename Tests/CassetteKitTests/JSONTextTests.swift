import TestSupport
import Testing

@testable import CassetteKit

@Suite struct JSONTextTests {
    /// RFC 8259: what is JSON comes back octet for octet from the compact writer.
    @Test(arguments: [
        "null", "true", "false", "0", "-0", "12.50", "1E5", "1e+05", "-0.0e-0", "123456789012345678901234567890.10",
        #""""#, #""a""#, #""\"\\\/\b\f\n\r\t""#, #""\u00e9 \u00E9 é""#, #""\ud83d\ude00 \ud800 \udc00x""#, #""😀""#,
        "[]", "{}", "[[[]],{}]", #"{"a":1,"a":2,"":{"b":[null,false]}}"#, #"{"A":1,"\u0041":1}"#, "[\"\u{7F}\"]",
    ])
    func givesBackCompactText(_ text: String) throws {
        let value = try JSONText.parse(Array(text.utf8))
        #expect(String(decoding: JSONText.write(value, layout: .compact), as: UTF8.self) == text)
        #expect(JSONLayout.of(Array(text.utf8), value: value) == .compact)
    }

    @Test func takesWhiteSpaceBetweenTokens() throws {
        let value = try JSONText.parse(Array(" \r\n\t{ \"a\" : [ 1 , 2 ] , \"b\" : { } } \n".utf8))
        #expect(String(decoding: JSONText.write(value, layout: .compact), as: UTF8.self) == #"{"a":[1,2],"b":{}}"#)
    }

    @Test(arguments: [
        ("", 1, 1, "no text at all"),
        (" ", 1, 2, "the end within a value"),
        ("{\n  \"a\": 1\n  \"b\": 2}", 3, 3, "neither a comma nor the end of the object"),
        ("[1,\n2,]", 2, 3, "no value where one must stand"),
        ("{\"a\":1,}", 1, 8, "no key in quotation marks"),
        ("[1 2]", 1, 4, "neither a comma nor the end of the array"),
        ("[,1]", 1, 2, "no value where one must stand"),
        ("{a:1}", 1, 2, "no key in quotation marks"),
        ("{\"a\" 1}", 1, 6, "no colon after a key"),
        ("01", 1, 1, "a number with a leading zero"),
        ("-", 1, 2, "the end within a value"),
        ("1.x", 1, 3, "a number without a digit where one must stand"),
        ("[1.]", 1, 4, "a number without a digit where one must stand"),
        ("+1", 1, 1, "no JSON value"),
        ("nul", 1, 1, "no JSON value"),
        ("NaN", 1, 1, "no JSON value"),
        ("1 1", 1, 3, "text after the end of the JSON value"),
        ("[]]", 1, 3, "text after the end of the JSON value"),
        ("\"a\nb\"", 1, 3, "a control character within a string"),
        (#""\x""#, 1, 2, "an escape that JSON does not know"),
        (#""\u12g4""#, 1, 2, "no four hexadecimal digits after \\u"),
        ("[\"abc", 1, 2, "a string without an end"),
        ("[1, 2", 1, 6, "the end within an array"),
        ("// no\n1", 1, 1, "no JSON value"),
        ("\u{FEFF}{}", 1, 1, "a byte order mark"),
        ("{\n<<<<<<< HEAD\n  \"a\": 1\n=======\n  \"a\": 2\n>>>>>>> b\n}", 2, 1, "the mark of a merge conflict"),
    ])
    func saysWhereTheDefectIs(_ text: String, _ line: Int, _ column: Int, _ message: String) {
        let error = #expect(throws: FormatError.self) { try JSONText.parse(Array(text.utf8)) }
        #expect(error?.line == line)
        #expect(error?.column == column)
        #expect(error?.message == message)
    }

    @Test(arguments: [
        (#"{"a":{"b":[1,2,x]}}"#, "$.a.b[2]"), (#"[{"a":1},{"b c":]"#, #"$[1]["b c"]"#), ("[1,[2 3]]", "$[1][1]"),
    ])
    func namesTheJSONPathOfTheDefect(_ text: String, _ path: String) {
        let error = #expect(throws: FormatError.self) { try JSONText.parse(Array(text.utf8)) }
        #expect(error?.path == path)
    }

    /// RFC 3629: overlong forms, surrogates, values above U+10FFFF, cut sequences, lone continuations.
    @Test(arguments: [
        [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80],
        [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xFF],
        [0xC3, 0x28], [0xE2, 0x28, 0xA1],
    ])
    func refusesOctetsThatAreNotUTF8(_ octets: [UInt8]) {
        let text = Array("[\n \"".utf8) + octets + Array("\"]".utf8)
        let error = #expect(throws: FormatError.self) { try JSONText.parse(text) }
        #expect(error?.message == "octets that are not UTF-8")
        #expect(error?.line == 2)
        #expect(error?.column == 3)
    }

    @Test func refusesToNestTooDeep() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        let value = try JSONText.parse(nested(512))
        #expect(JSONText.write(value, layout: .compact) == nested(512))
        let error = #expect(throws: FormatError.self) { try JSONText.parse(nested(513)) }
        #expect(error?.column == 513)
        #expect(throws: FormatError.self) { try JSONText.parse(nested(200_000)) }
    }

    @Test func relaxedTextMayHaveCommentsAndTrailingCommas() throws {
        let text = "/* head */ { // one\n \"a\": [1, 2, /* x */ ], \"u\": \"http://x\", }\n// end"
        let value = try JSONText.parse(Array(text.utf8), options: .relaxed)
        #expect(
            String(decoding: JSONText.write(value, layout: .compact), as: UTF8.self) == #"{"a":[1,2],"u":"http://x"}"#)
    }

    @Test(arguments: ["[,]", "[1,,]", "{,}", "[1 /*", "[1 / 2]", "/", "[1,,2]", "{\"a\":1,,}"])
    func relaxedTextIsNoFreeForAll(_ text: String) {
        #expect(throws: FormatError.self) { try JSONText.parse(Array(text.utf8), options: .relaxed) }
    }

    @Test(arguments: [
        ("$", 1, 2), ("$.a", 1, 9), ("$.a[1]", 2, 2), ("$.b.c", 3, 14), ("$.a[7]", 0, 0), ("$.x", 0, 0),
    ])
    func findsThePositionOfAPath(_ path: String, _ line: Int, _ column: Int) {
        let text = Array(" { \"a\": [1,\n 22],\n \"b\": {\"c\" : null}}".utf8)
        let paths: [String: JSONPath] = [
            "$": JSONPath(), "$.a": JSONPath().key("a"), "$.a[1]": JSONPath().key("a").index(1),
            "$.b.c": JSONPath().key("b").key("c"), "$.a[7]": JSONPath().key("a").index(7), "$.x": JSONPath().key("x"),
        ]
        let found = paths[path].flatMap { JSONText.position(of: $0, in: text) }
        #expect(found?.line ?? 0 == line)
        #expect(found?.column ?? 0 == column)
    }

    @Test func everyCutOfATextIsAnErrorAndNoCrash() {
        let text = Array(#"{"a": [1.5e3, "x\u00e9\n", true, null], "é": {}}"#.utf8)
        for cut in 0..<text.count {
            #expect(throws: FormatError.self, "cut at \(cut)") { try JSONText.parse(Array(text[..<cut])) }
        }
    }

    @Test func randomOctetsNeverCrash() {
        var random = SeededGenerator(seed: 7)
        let alphabet = Array(#"{}[]",:\u0019eE+-.truefalsn /*"#.utf8) + [0x0A, 0x80, 0xC3, 0xA9]
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 0...24, using: &random)).map { _ in
                alphabet.randomElement(using: &random) ?? 0
            }
            if let value = try? JSONText.parse(text) {
                #expect(throws: Never.self) { try JSONText.parse(JSONText.write(value, layout: .compact)) }
            }
        }
    }
}
