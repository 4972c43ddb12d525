package import HTTPCore

extension RunReport {
    /// The verdict as JUnit's XML: a test case for each check, skipped where nobody chose it.
    package var junit: Bytes {
        let checks = checks
        let found = Set(checks.flatMap(\.found))
        let others = failures.filter { !found.contains($0) }
        let failed = checks.filter { $0.isChosen && !$0.found.isEmpty }.count + others.count
        let skipped = checks.filter { !$0.isChosen }.count
        let name = Self.escaped("tapedeck" + (cassette.map { " \($0)" } ?? ""))
        let figures =
            #"tests="\#(checks.count + others.count)" failures="\#(failed)" errors="0" skipped="\#(skipped)" time="0""#
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#, #"<testsuites name="tapedeck" \#(figures)>"#]
        lines.append(#"  <testsuite name="\#(name)" \#(figures)>"#)
        for check in checks { lines += Self.testCase(check.name, check.isChosen ? check.found : nil) }
        for (number, failure) in others.enumerated() { lines += Self.testCase("run \(number + 1)", [failure]) }
        let words = self.lines.map(Self.escaped).joined(separator: "\n")
        lines += ["    <system-out>\(words)</system-out>", "  </testsuite>", "</testsuites>", ""]
        return Bytes(lines.joined(separator: "\n").utf8)
    }

    /// - Parameter found: what failed; nil where nobody chose the check.
    private static func testCase(_ name: String, _ found: [String]?) -> [String] {
        let open = #"    <testcase classname="tapedeck" name="\#(name)" time="0""#
        guard let found else { return [open + ">", "      <skipped/>", "    </testcase>"] }
        guard let first = found.first else { return [open + "/>"] }
        // Some readers show the attribute, some the text.
        let text = escaped(found.joined(separator: "\n"))
        return [
            open + ">", #"      <failure message="\#(escaped(first))" type="\#(name)">\#(text)</failure>"#,
            "    </testcase>",
        ]
    }

    /// Text as XML takes it; what XML can't have at all becomes a question mark.
    private static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "\n": out += "&#10;"
            case "\t": out += "&#9;"
            default:
                let isAllowed = scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar.value < 0xFFFE
                out.unicodeScalars.append(isAllowed ? scalar : "?")
            }
        }
        return out
    }
}
