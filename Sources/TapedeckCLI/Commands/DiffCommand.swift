import CassetteKit
import DeckEngine

/// `tapedeck diff`: what is different between two cassettes, as a reviewer wants to know it.
struct DiffCommand: Sendable {
    let settings: Settings
    let console: Console

    /// - Returns: 0 where nothing differs, else 1.
    func run() throws -> Int32 {
        let words = settings.arguments.operands
        let (first, second) = (try openCassette(words[0]), try openCassette(words[1]))
        let configuration = try ConfigurationFile(settings).load()
        let keys = try KeyRules(reading: [first, second], under: configuration)
        let diff = try CassetteDiff(first.interactions, second.interactions, volatile: configuration.volatile) {
            (interaction) throws(FormatError) in try keys.key(of: interaction)
        }
        if try settings.flag(Options.json) {
            console.out(octets: JSONText.write(json(diff), layout: JSONLayout(.indent2, lf: true)))
        } else {
            lines(diff).forEach(console.out)
        }
        return diff.isEmpty ? ExitStatus.fine : ExitStatus.failed
    }

    private func lines(_ diff: CassetteDiff) -> [String] {
        let color = console.outHasColor
        var lines: [String] = []
        for (word, style, changes) in [
            ("new    ", Style.good, diff.new), ("gone   ", .bad, diff.gone), ("changed", .warning, diff.changed),
        ] {
            for change in changes {
                let head = style.applied(to: word, color: color) + " \(change.method) \(change.url)"
                lines.append(head + "  " + Style.faint.applied(to: change.name, color: color))
                lines += change.differences.map { "          \($0)" }
            }
        }
        let counts = [
            (diff.same, "same"), (diff.changed.count, "changed"), (diff.new.count, "new"), (diff.gone.count, "gone"),
        ]
        return lines + [counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")]
    }

    private func json(_ diff: CassetteDiff) -> JSONValue {
        func list(_ changes: [CassetteDiff.Change]) -> JSONValue {
            .array(
                changes.map { change in
                    var members = [
                        JSONMember("name", .text(change.name)), JSONMember("method", .text(change.method)),
                        JSONMember("url", .text(change.url)),
                    ]
                    if !change.differences.isEmpty {
                        members.append(JSONMember("differences", .array(change.differences.map { .text($0) })))
                    }
                    return .object(members)
                })
        }
        return .object([
            JSONMember("same", .integer(diff.same)), JSONMember("changed", list(diff.changed)),
            JSONMember("new", list(diff.new)), JSONMember("gone", list(diff.gone)),
        ])
    }
}
