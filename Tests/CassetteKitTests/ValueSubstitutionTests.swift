import HTTPCore
import Testing

@testable import CassetteKit

/// Live values in place of recorded ones.
@Suite struct ValueSubstitutionTests {
    private func substitution(_ recorded: String, _ live: String, name: String = "itemId") throws -> ValueSubstitution {
        try #require(ValueSubstitution([.init(name: name, recorded: recorded, live: live)]))
    }

    struct Row: Sendable, CustomStringConvertible {
        var name: String
        var recorded = "17"
        var live = "42"
        var type = "application/json"
        var body: String
        /// Nil where nothing changes.
        var expected: String?
        var description: String { name }
    }

    static let rows = [
        Row(name: "a number under id", body: #"{"id": 17, "price": 17}"#, expected: #"{"id": 42, "price": 17}"#),
        Row(name: "a number under the parameter's name", body: #"{"item_id":17}"#, expected: #"{"item_id":42}"#),
        Row(
            name: "a number under the thing's name", body: #"{"item":17,"items":17}"#,
            expected: #"{"item":42,"items":17}"#),
        Row(name: "numbers in a list of ids", body: #"{"ids":[16,17,18]}"#, expected: #"{"ids":[16,42,18]}"#),
        Row(name: "behind a nested object", body: #"{"id":{"n":1},"x":17}"#, expected: nil),
        Row(name: "a part of a number stays", body: #"{"id":170,"sid":1.17}"#, expected: nil),
        Row(name: "digits as text under id", body: #"{"id":"17","size":"17"}"#, expected: #"{"id":"42","size":"17"}"#),
        Row(name: "digits in a URL", body: #"{"self":"/items/17/x?a=17"}"#, expected: #"{"self":"/items/42/x?a=42"}"#),
        Row(name: "digits in an escaped URL", body: #"{"u":"\/items\/17"}"#, expected: #"{"u":"\/items\/42"}"#),
        Row(name: "digits in a date stay", body: #"{"day":"2026-11-17","t":"17 of 17"}"#, expected: nil),
        Row(
            name: "a number that becomes a text", live: "new", body: #"{"id":17}"#, expected: #"{"id":"new"}"#),
        Row(name: "a number with zeros in front", live: "007", body: #"{"id":17}"#, expected: #"{"id":"007"}"#),
        Row(
            name: "a word wherever it stands", recorded: "lamp", live: "desk",
            body: #"{"text":"the lamp is on, lampshade off","lamp":1}"#,
            expected: #"{"text":"the desk is on, lampshade off","lamp":1}"#),
        Row(
            name: "quotation marks are escaped", recorded: "lamp", live: #"a"b"#, body: #"["lamp"]"#,
            expected: #"["a\"b"]"#),
        Row(
            name: "in a URL percent-encoded", recorded: "lamp", live: "a b/c", body: #"["/i/lamp","lamp"]"#,
            expected: #"["/i/a%20b%2Fc","a b/c"]"#),
        Row(
            name: "a recorded value that was encoded", recorded: "a b", live: "c",
            body: #"["/i/a%20b","a b"]"#, expected: #"["/i/c","c"]"#),
        Row(
            name: "the parameter in braces", body: #"{"id":"{itemId}","u":"/x/{itemId}"}"#,
            expected: #"{"id":"42","u":"/x/42"}"#),
        Row(
            name: "white space stays", body: "{\n\t\"id\" :  17 ,\"b\":1.50\n}\n",
            expected: "{\n\t\"id\" :  42 ,\"b\":1.50\n}\n"),
        Row(
            name: "markup is escaped", recorded: "lamp", live: "<b>", type: "text/html", body: "<p>lamp</p>",
            expected: "<p>&lt;b&gt;</p>"),
        Row(
            name: "a link in markup", type: "text/html", body: #"<a href="/items/17">17</a>"#,
            expected: #"<a href="/items/42">17</a>"#),
        Row(name: "plain text", recorded: "lamp", type: "text/plain", body: "lamp, lamps", expected: "42, lamps"),
        Row(name: "JSON that is none stays", body: "{lamp", expected: nil),
        Row(name: "octets stay", recorded: "lamp", type: "image/png", body: "lamp", expected: nil),
    ]

    @Test(arguments: rows)
    func putsTheValueWhereItStands(_ row: Row) throws {
        let changed = try substitution(row.recorded, row.live).body(octets(row.body), MediaType.parse(row.type))
        #expect(changed.map { text($0) } == row.expected)
    }

    @Test func fieldsGetValuesThatCanNotEndALine() throws {
        let fields = Fields([("Location", "/items/lamp"), ("X-Name", "lamp"), ("ETag", "\"lamps\"")])
        let changed = try substitution("lamp", "a\r\nX: 1").fields(fields)
        #expect(changed.text("Location") == "/items/a%0D%0AX%3A%201")
        #expect(changed.text("X-Name") == "a%0D%0AX%3A%201")
        #expect(changed.text("ETag") == "\"lamps\"")
    }

    @Test func equalValuesNeedNoSubstitution() {
        // The braces are still looked for: people write them.
        let substitution = ValueSubstitution([.init(name: "id", recorded: "1", live: "1")])
        #expect(substitution?.body(octets(#"{"id":1}"#), MediaType.parse("application/json")) == nil)
        #expect(ValueSubstitution([.init(name: "id", recorded: "1", live: "")]) == nil)
    }

    @Test func swappedValuesAreReplacedOnce() throws {
        let swapped = try #require(
            ValueSubstitution([
                .init(name: "a", recorded: "left", live: "right"), .init(name: "b", recorded: "right", live: "left"),
            ]))
        let changed = swapped.body(octets(#"["left","right"]"#), MediaType.parse("application/json"))
        #expect(changed.map { text($0) } == #"["right","left"]"#)
    }
}
