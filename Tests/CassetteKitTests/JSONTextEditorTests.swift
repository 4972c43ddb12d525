import Testing

@testable import CassetteKit

/// Adding to a file that people write.
@Suite struct JSONTextEditorTests {
    struct Row: Sendable, CustomStringConvertible {
        var name: String
        var before: String
        var path: [String]
        var values: [String]
        var after: String
        var description: String { name }
    }

    static let rows = [
        Row(
            name: "a member on one line", before: #"{"version": 1}"#, path: ["match", "ignoreQuery"], values: ["t"],
            after: #"{"version": 1, "match": {"ignoreQuery": ["t"]}}"#),
        Row(name: "an empty object", before: "{}", path: ["a"], values: ["t"], after: #"{"a": ["t"]}"#),
        Row(
            name: "an empty list", before: #"{"a": []}"#, path: ["a"], values: ["t", "u"], after: #"{"a": ["t", "u"]}"#),
        Row(
            name: "a list on one line", before: #"{"a": ["s"], "b": 1}"#, path: ["a"], values: ["t"],
            after: #"{"a": ["s", "t"], "b": 1}"#),
        Row(
            name: "what is there already", before: #"{"a": ["s"]}"#, path: ["a"], values: ["s"], after: #"{"a": ["s"]}"#
        ),
        Row(name: "a single value", before: #"{"a": "s"}"#, path: ["a"], values: ["t"], after: #"{"a": ["s", "t"]}"#),
        Row(
            name: "the single value itself", before: #"{"a": "s"}"#, path: ["a"], values: ["s"], after: #"{"a": ["s"]}"#
        ),
        Row(
            name: "comments, spelling and indentation",
            before:
                "{ // head\n    \"version\": 1, // one\n    \"a\": [\n        \"s\\u0041\" // why\n    ] /* end */\n}\n",
            path: ["a"], values: ["t"],
            after:
                "{ // head\n    \"version\": 1, // one\n    \"a\": [\n        \"s\\u0041\", // why\n        \"t\"\n    ] /* end */\n}\n"
        ),
        Row(
            name: "a comma at the end", before: "{\n  \"version\": 1,\n}\n", path: ["a"], values: ["t"],
            after: "{\n  \"version\": 1,\n  \"a\": [\"t\"],\n}\n"),
        Row(
            name: "a comma at the end of a line", before: #"{"a": ["s",]}"#, path: ["a"], values: ["t"],
            after: #"{"a": ["s", "t"]}"#),
        Row(
            name: "a comment that ends the file's object", before: "{\n  \"version\": 1\n  // last, \"}\n}\n",
            path: ["a", "b"], values: ["t"],
            after: "{\n  \"version\": 1,\n  // last, \"}\n  \"a\": {\"b\": [\"t\"]}\n}\n"),
        Row(
            name: "brackets in strings and comments", before: "{\"x\": \"]}\", /* ]} */ \"a\": {\"k\": [1, \"]\"]}}",
            path: ["a", "k"], values: ["t"], after: "{\"x\": \"]}\", /* ]} */ \"a\": {\"k\": [1, \"]\", \"t\"]}}"),
        Row(
            name: "tabs", before: "{\n\t\"a\": {\n\t\t\"x\": 1\n\t}\n}", path: ["a", "b"], values: ["t"],
            after: "{\n\t\"a\": {\n\t\t\"x\": 1,\n\t\t\"b\": [\"t\"]\n\t}\n}"),
    ]

    @Test(arguments: rows)
    func addsAndLeavesTheRest(_ row: Row) throws {
        var editor = JSONTextEditor(octets(row.before))
        editor.append(row.values.map { .text($0) }, at: row.path)
        #expect(text(editor.octets) == row.after)
        _ = try JSONText.parse(editor.octets, options: .relaxed)
    }

    @Test func aMemberThatIsThereStays() {
        var editor = JSONTextEditor(octets(#"{"a": {"b": false}}"#))
        editor.add(.bool(true), at: ["a", "b"])
        editor.add(.bool(true), at: ["a", "c"])
        #expect(text(editor.octets) == #"{"a": {"b": false, "c": true}}"#)
    }
}
