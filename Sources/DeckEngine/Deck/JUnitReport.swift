package import HTTPCore

extension RunReport {
    /// The verdict as JUnit's XML: a test case for each check, skipped where nobody chose it.
    package var junit: Bytes {
        let checks = checks
        let found = Set(checks.flatMap(\.found))
        let others = failures.filter { !found.contains($0) }
        let failed = checks.filter { $0.isChosen && !$0.found.isEmpty }.count + others.count
        let skipped = checks.filter { !$0.isChosen }.count
        let total = checks.count + others.count
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
        let name = Self.escaped("tapedeck" + (cassette.map { " \($0)" } ?? ""))
        let figures = #"tests="\#(total)" failures="\#(failed)" errors="0" skipped="\#(skipped)""#
        lines.append("<testsuites \(figures)>")
        lines.append(#"  <testsuite name="\#(name)" \#(figures)>"#)
        for check in checks {
            let open = #"    <testcase classname="tapedeck" name="\#(check.name)""#
            switch (check.isChosen, check.found.isEmpty) {
            case (false, _): lines += [open + ">", "      <skipped/>", "    </testcase>"]
            case (true, true): lines.append(open + "/>")
            case (true, false):
                let text = Self.escaped(check.found.joined(separator: "\n"))
                lines += [open + ">", #"      <failure message="\#(text)"/>"#, "    </testcase>"]
            }
        }
        for (number, failure) in others.enumerated() {
            lines.append(#"    <testcase classname="tapedeck" name="run \#(number + 1)">"#)
            lines += [#"      <failure message="\#(Self.escaped(failure))"/>"#, "    </testcase>"]
        }
        let words = self.lines.map(Self.escaped).joined(separator: "\n")
        lines += ["    <system-out>\(words)</system-out>", "  </testsuite>", "</testsuites>", ""]
        return Bytes(lines.joined(separator: "\n").utf8)
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
