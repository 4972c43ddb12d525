import CassetteKit
import Testing

@testable import DeckRules

@Suite struct BodyEditsTests {
    static let original =
        #"{"a": 1.50,"b": [1,2,3],"c": {"d": [], "e\u0041": "x\/y"}, "l": [{"n": 1}, {"n": 2}], "z": null}"#

    /// Edits and what they make of the original, without white space.
    static let rows: [(edits: String, result: String)] = [
        ("remove /b", #"{"a":1.50,"c":{"d":[],"e\u0041":"x\/y"},"l":[{"n":1},{"n":2}],"z":null}"#),
        ("remove /b/1", #"{"a":1.50,"b":[1,3],"c":{"d":[],"e\u0041":"x\/y"},"l":[{"n":1},{"n":2}],"z":null}"#),
        ("remove /b/*", #"{"a":1.50,"b":[],"c":{"d":[],"e\u0041":"x\/y"},"l":[{"n":1},{"n":2}],"z":null}"#),
        ("remove /*", "{}"),
        ("remove /l/*/n", #"{"a":1.50,"b":[1,2,3],"c":{"d":[],"e\u0041":"x\/y"},"l":[{},{}],"z":null}"#),
        ("remove /c/eA", #"{"a":1.50,"b":[1,2,3],"c":{"d":[]},"l":[{"n":1},{"n":2}],"z":null}"#),
        ("keep /b 2", #"{"a":1.50,"b":[1,2],"c":{"d":[],"e\u0041":"x\/y"},"l":[{"n":1},{"n":2}],"z":null}"#),
        ("keep /* 1", #"{"a":1.50,"b":[1],"c":{"d":[],"e\u0041":"x\/y"},"l":[{"n":1}],"z":null}"#),
        ("keep /b 9", #"{"a":1.50,"b":[1,2,3],"c":{"d":[],"e\u0041":"x\/y"},"l":[{"n":1},{"n":2}],"z":null}"#),
        (
            "repeat /b 7",
            #"{"a":1.50,"b":[1,2,3,1,2,3,1],"c":{"d":[],"e\u0041":"x\/y"},"l":[{"n":1},{"n":2}],"z":null}"#
        ),
        ("repeat /b 2", #"{"a":1.50,"b":[1,2,3],"c":{"d":[],"e\u0041":"x\/y"},"l":[{"n":1},{"n":2}],"z":null}"#),
        ("repeat /c/d 2", #"{"a":1.50,"b":[1,2,3],"c":{"d":[],"e\u0041":"x\/y"},"l":[{"n":1},{"n":2}],"z":null}"#),
        ("set /a 2", #"{"a":2,"b":[1,2,3],"c":{"d":[],"e\u0041":"x\/y"},"l":[{"n":1},{"n":2}],"z":null}"#),
        (
            "set /l/*/n true",
            #"{"a":1.50,"b":[1,2,3],"c":{"d":[],"e\u0041":"x\/y"},"l":[{"n":true},{"n":true}],"z":null}"#
        ),
        (
            "set /l/*/m 1.0",
            #"{"a":1.50,"b":[1,2,3],"c":{"d":[],"e\u0041":"x\/y"},"l":[{"n":1,"m":1.0},{"n":2,"m":1.0}],"z":null}"#
        ),
        ("set /b/0 9", #"{"a":1.50,"b":[9,2,3],"c":{"d":[],"e\u0041":"x\/y"},"l":[{"n":1},{"n":2}],"z":null}"#),
        ("set /b/- 4", #"{"a":1.50,"b":[1,2,3,4],"c":{"d":[],"e\u0041":"x\/y"},"l":[{"n":1},{"n":2}],"z":null}"#),
        ("set  []", "[]"),
        ("empty", #"{"a":1.50,"b":[],"c":{"d":[],"e\u0041":"x\/y"},"l":[],"z":null}"#),
        ("emptyAt /l", #"{"a":1.50,"b":[1,2,3],"c":{"d":[],"e\u0041":"x\/y"},"l":[],"z":null}"#),
    ]

    @Test(arguments: rows) func changesNothingElse(_ edits: String, _ result: String) throws {
        var body = try json(Self.original)
        #expect(try parsed(edits).apply(to: &body) == [])
        #expect(text(body) == result)
    }

    @Test(arguments: [
        "remove /nothing", "remove /b/3", "remove /b/01", "remove /a/x", "keep /a 1", "keep /nothing 1", "repeat /c 2",
        "set /nothing/x 1", "set /b/9 1", "set /b/x 1", "set /a/x 1", "emptyAt /a", "remove ",
    ]) func saysWhichPointersNamedNothing(_ edits: String) throws {
        var body = try json(Self.original)
        #expect(
            try parsed(edits).apply(to: &body) == [
                String(edits.split(separator: " ", omittingEmptySubsequences: false)[1])
            ])
        #expect(body == (try json(Self.original)))
    }

    @Test func emptiesABodyThatIsAnArray() throws {
        var body = try json("[1, [2], {\"a\": [3]}]")
        _ = BodyEdits(empties: .topLevel).apply(to: &body)
        #expect(text(body) == "[]")
    }

    @Test(arguments: ["1", "\"[]\"", "null", #"{"a":{"b":1},"c":{"d":[1]}}"#]) func emptyLeavesWhatHasNoArrays(
        _ text: String
    )
        throws
    {
        var body = try json(text)
        _ = BodyEdits(empties: .topLevel).apply(to: &body)
        #expect(DeckRulesTests.text(body) == text)
    }

    @Test(arguments: [
        (#"{"data":{"items":[1],"page":1}}"#, #"{"data":{"items":[],"page":1}}"#),
        (#"{"ok":true,"data":{"viewer":{"items":[1]}}}"#, #"{"ok":true,"data":{"viewer":{"items":[]}}}"#),
        (#"{"errors":[1],"data":{"items":[1]}}"#, #"{"errors":[],"data":{"items":[1]}}"#),
    ]) func looksIntoAnEnvelope(_ before: String, _ after: String) throws {
        var body = try json(before)
        _ = BodyEdits(empties: .topLevel).apply(to: &body)
        #expect(text(body) == after)
    }

    @Test func zeroesNumbersAndNothingElse() throws {
        var body = try json(#"{"total":12.50,"name":"x","l":[{"n":1},{"n":"1"}]}"#)
        let edits = BodyEdits(zeros: [try EditPointer("/total"), try EditPointer("/l/*/n"), try EditPointer("/name")])
        #expect(edits.apply(to: &body) == ["/name"])
        #expect(text(body) == #"{"total":0,"name":"x","l":[{"n":0},{"n":"1"}]}"#)
    }

    @Test(arguments: [
        (#"{"data":{"a":1,"b":[2]}}"#, #"{"a":1,"b":null}"#, #"["b"]"#),
        (
            #"{"data":{"viewer":{"id":1,"name":"x"}},"errors":[]}"#, #"{"viewer":{"id":1,"name":null}}"#,
            #"["viewer","name"]"#
        ),
        (#"{"data":{"a":1}}"#, #"{"a":null}"#, #"["a"]"#),
    ]) func aPartialGraphQLAnswerSaysWhereItIsNull(_ before: String, _ data: String, _ path: String) throws {
        var body = try json(before)
        #expect(BodyEdits(spoilsData: true).apply(to: &body) == [])
        #expect(body["data"].map(text) == data)
        #expect(body["errors"]?.elements?.count == 1)
        #expect((body["errors"]?.elements?.first?["path"]).map(text) == path)
    }

    @Test(arguments: ["[]", #"{"data":null}"#, #"{"a":1}"#]) func whatIsNoGraphQLAnswerStays(_ original: String) throws
    {
        var body = try json(original)
        #expect(BodyEdits(spoilsData: true).apply(to: &body) == ["/data"])
        #expect(text(body) == original)
    }

    @Test(arguments: EdgeValue.allCases) func edgeValuesAreJSON(_ edge: EdgeValue) throws {
        #expect(try json(text(edge.value)) == edge.value)
        #expect(EdgeValue.name(in: try json("{\"$edge\": \"\(edge.rawValue)\"}")) == edge.rawValue)
    }

    @Test(arguments: [
        ("[1,2,3]", "[1,2]"), (#"{"a":[1,2,3,4],"b":{"c":[1,2]},"d":[5]}"#, #"{"a":[1,2],"b":{"c":[1,2]},"d":[5]}"#),
        ("[]", "[]"),
        ("7", "7"),
    ]) func halvesTheListsAtTheTop(_ before: String, _ after: String) throws {
        var body = try json(before)
        _ = BodyEdits(halves: true).apply(to: &body)
        #expect(text(body) == after)
    }

    @Test func editsComeInTheirOrder() throws {
        var body = try json(#"{"l":[{"n":1,"x":0},{"n":2}]}"#)
        let edits = BodyEdits(
            removes: [try EditPointer("/l/*/x")], keeps: [(try EditPointer("/l"), 1)],
            repeats: [(try EditPointer("/l"), 3)], sets: [(try EditPointer("/l/2/n"), .integer(7))])
        #expect(edits.apply(to: &body) == [])
        #expect(text(body) == #"{"l":[{"n":1},{"n":1},{"n":7}]}"#)
    }

    @Test func anArrayCannotBeGrownWithoutEnd() throws {
        var body = try json("[1]")
        _ = BodyEdits(repeats: [(try EditPointer(""), Int.max)]).apply(to: &body)
        #expect(body.elements?.count == BodyEdits.mostElements)
    }

    @Test func pointersKnowTheirEscapes() throws {
        #expect(try EditPointer("/a~1b/c~0d").tokens == [.name("a/b"), .name("c~d")])
        #expect(try EditPointer("").tokens == [])
        #expect(try EditPointer("/").tokens == [.name("")])
        for text in ["a", "/a~", "/a~2"] { #expect(throws: RuleError.self) { try EditPointer(text) } }
    }

    private func parsed(_ text: String) throws -> BodyEdits {
        let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        if words[0] == "empty" { return BodyEdits(empties: .topLevel) }
        let pointer = try EditPointer(words[1])
        switch words[0] {
        case "remove": return BodyEdits(removes: [pointer])
        case "keep": return BodyEdits(keeps: [(pointer, try #require(Int(words[2])))])
        case "repeat": return BodyEdits(repeats: [(pointer, try #require(Int(words[2])))])
        case "emptyAt": return BodyEdits(empties: .at([pointer]))
        default: return BodyEdits(sets: [(pointer, try json(words[2]))])
        }
    }
}
