import CassetteKit
import DeckEngine
import HTTPCore
import SystemIO

/// `tapedeck status`: the cassettes of a folder with their age and what is in them.
struct StatusCommand: Sendable {
    let settings: Settings
    let console: Console
    /// Milliseconds since 1970, for ages.
    let now: Int64

    private struct Row {
        var name: String
        var interactions = 0
        var checked: String?
        var age: Int?
        var orphans: [String] = []
        var unused: [String]?
        var defect: String?
    }

    /// - Returns: 0, or 1 where a cassette can't be read.
    func run() throws -> Int32 {
        let root = CassetteFolder(settings.arguments.operands[0])
        let below = root.cassettesBelow
        guard root.isCassette || !below.isEmpty else {
            throw UsageError(
                "\(root.path) is no cassette, and there is none in it", advice: "tapedeck status cassettes")
        }
        let paths = (root.isCassette ? [root.path] : []) + below.map { "\(root.path)/\($0)" }
        let report = try settings.value(Options.report).map { try readReport($0.text) }
        let rows = paths.map { row($0, report) }
        if try settings.flag(Options.json) {
            console.out(octets: JSONText.write(.array(rows.map(json)), layout: JSONLayout(.indent2, lf: true)))
        } else {
            lines(rows).forEach(console.out)
        }
        return rows.contains { $0.defect != nil } ? ExitStatus.failed : ExitStatus.fine
    }

    private func row(_ path: String, _ report: RunReport?) -> Row {
        var row = Row(name: path)
        do throws(FormatError) {
            let cassette = try Cassette.load(folder: path)
            row.interactions = cassette.interactions.count
            row.checked = cassette.manifest.checked
            row.age = cassette.manifest.checked.flatMap(age)
            row.orphans = cassette.orphans
            let names = Set(cassette.interactions.map(\.name))
            if let report, report.cassette.map({ CassetteFolder($0).path }) == path {
                row.unused = report.unused.filter { names.contains($0) }
            } else if let report {
                let prefix = "\(path)/"
                let own = report.unused.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
                row.unused = own.isEmpty ? nil : own
            }
        } catch {
            row.defect = error.description
        }
        return row
    }

    /// Days since a day such as `2026-11-30`; nil for no day and beyond ten years.
    private func age(_ day: String) -> Int? {
        (0...3_650).first { Timestamp(milliseconds: now - Int64($0) * 86_400_000).date <= day }
    }

    private func lines(_ rows: [Row]) -> [String] {
        var table = Table([
            ("CASSETTE", .left), ("INTERACTIONS", .right), ("CHECKED", .left), ("AGE", .right), ("UNUSED", .right),
            ("ORPHANS", .right),
        ])
        for row in rows {
            table.add([
                row.name, row.defect == nil ? "\(row.interactions)" : "defective", row.checked ?? "-",
                row.age.map { "\($0) d" } ?? "-", row.unused.map { "\($0.count)" } ?? "-", "\(row.orphans.count)",
            ])
        }
        var lines = table.lines(color: console.outHasColor)
        for row in rows {
            lines += (row.unused ?? []).map { "unused: \(row.name)/interactions/\($0)" }
            lines += row.orphans.map { "no interaction needs \(row.name)/interactions/\($0)" }
            if let defect = row.defect { lines.append("defective: \(defect)") }
        }
        return lines
    }

    private func json(_ row: Row) -> JSONValue {
        var members = [
            JSONMember("cassette", .text(row.name)), JSONMember("interactions", .integer(row.interactions)),
            JSONMember("orphans", .array(row.orphans.map { .text($0) })),
        ]
        if let checked = row.checked { members.append(JSONMember("checked", .text(checked))) }
        if let age = row.age { members.append(JSONMember("days", .integer(age))) }
        if let unused = row.unused { members.append(JSONMember("unused", .array(unused.map { .text($0) }))) }
        if let defect = row.defect { members.append(JSONMember("defect", .text(defect))) }
        return .object(members)
    }
}

/// Reads a run's report.
///
/// - Throws: `CommandError` with status 2 for a file that can't be read or is none.
func readReport(_ path: String) throws(CommandError) -> RunReport {
    let octets: [UInt8]
    do throws(SystemError) {
        octets = try Files.read(path)
    } catch {
        throw CommandError(
            status: ExitStatus.usage, "the report \(path) can't be read: \(error.reason)",
            advice: "a run writes one with --report \(path)")
    }
    guard let document = try? JSONText.parse(octets), let report = RunReport(document) else {
        throw CommandError(
            status: ExitStatus.usage, "\(path) is no report of a run", advice: "a run writes one with --report FILE")
    }
    return report
}
