import TestSupport
import Testing

@testable import CassetteKit

@Suite struct JSONLayoutTests {
    static let samples: [(String, String)] = [
        ("compact", #"{"a":[1,{"b":[]}],"c":{},"d":"x"}"#),
        ("spaced", #"{"a": [1, {"b": []}], "c": {}, "d": "x"}"#),
        ("indent2", "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {},\n  \"d\": \"x\"\n}"),
        (
            "indent4",
            "{\n    \"a\": [\n        1,\n        {\n            \"b\": []\n        }\n    ],\n    \"c\": {},\n    \"d\": \"x\"\n}"
        ),
        ("tabs", "{\n\t\"a\": [\n\t\t1,\n\t\t{\n\t\t\t\"b\": []\n\t\t}\n\t],\n\t\"c\": {},\n\t\"d\": \"x\"\n}"),
        (
            "swift2",
            "{\n  \"a\" : [\n    1,\n    {\n      \"b\" : [\n\n      ]\n    }\n  ],\n  \"c\" : {\n\n  },\n  \"d\" : \"x\"\n}"
        ),
    ]

    @Test(arguments: samples, ["", "\n"])
    func isFoundAndGivesTheOctetsBack(_ sample: (name: String, text: String), _ end: String) throws {
        let octets = Array((sample.text + end).utf8)
        let value = try JSONText.parse(octets)
        let layout = try #require(JSONLayout.of(octets, value: value))
        #expect(layout.description == sample.name + (end.isEmpty ? "" : "+lf"))
        #expect(JSONText.write(value, layout: layout) == octets)
    }

    @Test(arguments: [
        " 1", "1 ", "1\r\n", "1\n\n", "{ }", "[ 1]", "{\"a\" :1}", "{\"a\": 1,\"b\": 2}", "[\n  1,\n   2\n]",
        "{\r\n  \"a\": 1\r\n}", "[\n 1\n]",
    ])
    func isNoneForWhiteSpaceThatNoToolWrites(_ text: String) throws {
        let octets = Array(text.utf8)
        #expect(JSONLayout.of(octets, value: try JSONText.parse(octets)) == nil)
    }

    @Test func hasANameThatReadsBack() {
        for style in JSONLayout.Style.allCases {
            for lf in [true, false] {
                let layout = JSONLayout(style, lf: lf)
                #expect(JSONLayout(name: layout.description) == layout)
            }
        }
        #expect(JSONLayout(name: "indent3") == nil)
        #expect(JSONLayout(name: "compact+lf+lf") == nil)
        #expect(JSONLayout(name: "+lf") == nil)
    }

    @Test(arguments: 0..<40) func givesBackRandomValues(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let value = randomValue(depth: 4, &random)
            for style in JSONLayout.Style.allCases {
                let octets = JSONText.write(value, layout: JSONLayout(style, lf: seed % 2 == 0))
                let again = try JSONText.parse(octets)
                #expect(again == value)
                let found = try #require(JSONLayout.of(octets, value: again))
                #expect(JSONText.write(again, layout: found) == octets)
            }
        }
    }

    private func randomValue(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
        let numbers = ["0", "-0", "1.50", "1e9", "1E-400", "99999999999999999999", "-12.0"]
        let strings = [#"a"#, #"\u00e9é"#, #"\"\\\/"#, "", #"\ud800"#, "long enough to leave the small form", "😀"]
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2, 3: return .number(numbers[Int.random(in: 0..<numbers.count, using: &random)])
        case 4:
            return .string(JSONString(checkedSpelling: strings[Int.random(in: 0..<strings.count, using: &random)]))
        case 5:
            return .array(
                (0..<Int.random(in: 0...3, using: &random)).map { _ in randomValue(depth: depth - 1, &random) })
        default:
            return .object(
                (0..<Int.random(in: 0...3, using: &random)).map { _ in
                    let key = strings[Int.random(in: 0..<strings.count, using: &random)]
                    return JSONMember(
                        key: JSONString(checkedSpelling: key), value: randomValue(depth: depth - 1, &random))
                })
        }
    }
}
