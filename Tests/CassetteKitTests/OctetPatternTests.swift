import Testing

@testable import CassetteKit

@Suite struct OctetPatternTests {
    private func found(_ pattern: String, _ given: String) throws -> [String] {
        let pattern = try OctetPattern(pattern)
        let source = octets(given)
        return source.withUnsafeBufferPointer { buffer in
            pattern.matches(in: buffer, 0..<buffer.count).map { match in
                match.map { range in range.map { text(buffer[$0]) } ?? "-" }.joined(separator: "|")
            }
        }
    }

    @Test(arguments: [
        ("abc", "xabcabc", ["abc", "abc"]), ("a.c", "abc a\nc", ["abc"]), ("[a-c]+", "xabcax", ["abca"]),
        ("[^a-c]+", "xyab", ["xy"]), ("a|bc|d", "dbca", ["d", "bc", "a"]), ("(a)|(b)", "ab", ["a|a|-", "b|-|b"]),
        ("a{2,3}", "aaaaa a", ["aaa", "aa"]), ("a{2}", "aaaaa", ["aa", "aa"]), ("a{2,}", "aaaaa", ["aaaaa"]),
        ("a+?b", "aab", ["aab"]), ("<.+?>", "<a><b>", ["<a>", "<b>"]), ("<.+>", "<a><b>", ["<a><b>"]),
        ("x*", "", []), ("x*", "axxb", ["xx"]), ("^a", "a\nab", ["a", "a"]), ("a$", "a\nba", ["a", "a"]),
        ("\\bcat\\b", "cat concat cat.", ["cat", "cat"]), ("\\d+", "a12b3", ["12", "3"]),
        ("(?i)AbC", "abc ABC", ["abc", "ABC"]),
        ("\\w+@\\w+", "to a_1@b.c", ["a_1@b"]), ("order-(\\d+)", "order-17 order-x", ["order-17|17"]),
        ("(?:ab)+(c)", "ababc", ["ababc|c"]), ("(a*)*b", "aab", ["aab|aa"]), ("[]x]+", "]x", ["]x"]),
        ("[\\d-]+", "1-2", ["1-2"]),
        ("\\x41\\.", "A.", ["A."]), ("é", "café", ["é"]), ("(a|ab)(c|bcd)", "abcd", ["abcd|a|bcd"]),
    ])
    func finds(_ pattern: String, _ given: String, _ expected: [String]) throws {
        #expect(try found(pattern, given) == expected)
    }

    @Test(arguments: [
        "(", ")", "a**", "*a", "[a", "a{3,1}", "a{x}", "\\1", "(?=a)", "(?<n>a)", "\\q", "a{2000}", "\\", "[z-a]",
        "((((a{99}){99}){9}))",
    ])
    func refuses(_ pattern: String) {
        #expect(throws: PatternError.self) { try OctetPattern(pattern) }
    }

    /// Patterns that make a backtracking matcher take for ever.
    @Test(arguments: ["(a+)+$", "(a|a)*b", "(a*)*b", "(.*)*x", "a{0,40}a{40}b"])
    func takesTimeInProportionToTheText(_ pattern: String) throws {
        let text = String(repeating: "a", count: 3_000)
        _ = try found(pattern, text + "!")
    }
}
