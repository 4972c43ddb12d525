import CassetteKit
import DeckEngine
import SystemIO

/// `tapedeck verdict`: one verdict over the reports of runs that were parts of one, such as the shards of a test suite.
struct VerdictCommand: Sendable {
    let settings: Settings
    let console: Console

    /// - Returns: 0 where the joined run passes, else 1.
    func run() throws -> Int32 {
        var reports: [RunReport] = []
        for path in settings.arguments.operands { reports.append(try readReport(path)) }
        let joined = RunReport(joining: reports)
        for (option, octets) in [(Options.report, joined.json), (Options.junit, joined.junit)] {
            guard let file = settings.value(option) else { continue }
            do throws(SystemError) {
                try Files.writeAtomically(octets, to: file.text)
            } catch {
                throw CommandError(
                    status: ExitStatus.start, "\(file.text) was not written: \(error.message)", advice: nil)
            }
        }
        if try settings.flag(Options.json) {
            console.out(octets: joined.json)
        } else {
            joined.lines.forEach(console.out)
            console.out(
                joined.passed
                    ? Style.good.applied(to: "passed", color: console.outHasColor)
                    : Style.bad.applied(to: "failed", color: console.outHasColor))
        }
        return joined.passed ? ExitStatus.fine : ExitStatus.failed
    }
}
