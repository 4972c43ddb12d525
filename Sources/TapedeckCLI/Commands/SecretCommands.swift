import CassetteKit
import DeckEngine
import SystemIO

/// `tapedeck sanitizers`: the built-in rules, what they hide and why.
struct SanitizersCommand: Sendable {
    let settings: Settings
    let console: Console

    func run() throws -> Int32 {
        let configured = try ConfigurationFile(settings).load().sanitizing
        let notes = SanitizerNote.all
        if try settings.flag(Options.json) {
            let documents = notes.map { note in
                JSONValue.object([
                    JSONMember("id", .text(note.id)), JSONMember("what", .text(note.what)),
                    JSONMember("why", .text(note.why)), JSONMember("on", .bool(isOn(note, configured))),
                ])
            }
            console.out(octets: JSONText.write(.array(documents), layout: JSONLayout(.indent2, lf: true)))
            return ExitStatus.fine
        }
        var table = Table([("RULE", .left), ("", .left), ("HIDES", .left), ("BECAUSE", .left)])
        for note in notes { table.add([note.id, isOn(note, configured) ? "on" : "off", note.what, note.why]) }
        table.lines(color: console.outHasColor).forEach(console.out)
        return ExitStatus.fine
    }

    private func isOn(_ note: SanitizerNote, _ configured: ConfiguredSanitizing) -> Bool {
        note.isDefault ? !configured.off.contains(note.id) : configured.on.contains(note.id)
    }
}

/// `tapedeck scan`: looks for secrets that were left in cassettes and other files.
struct ScanCommand: Sendable {
    let settings: Settings
    let console: Console

    func run() throws -> Int32 {
        var files: [String] = []
        for path in settings.arguments.operands {
            do throws(FormatError) {
                files += try CassetteScan.files(path)
            } catch {
                throw CommandError(status: ExitStatus.usage, error.description, advice: nil)
            }
        }
        let scan = CassetteScan(sanitizer: try readSanitizer(settings, console, cassettes: settings.arguments.operands))
        var findings: [ScanFinding] = []
        for file in files {
            let octets = try Files.read(file)
            findings += scan.findings(octets, path: file)
            for key in scan.unknownKeys(octets, path: file) { console.note("\(file): the key \(key) is not known") }
        }
        if try settings.flag(Options.json) {
            let documents = findings.map { finding in
                JSONValue.object([
                    JSONMember("file", .text(finding.file)), JSONMember("pointer", .text(finding.pointer)),
                    JSONMember("rule", .text(finding.rule)), JSONMember("excerpt", .text(finding.excerpt)),
                ])
            }
            console.out(octets: JSONText.write(.array(documents), layout: JSONLayout(.indent2, lf: true)))
        } else {
            for finding in findings {
                console.out("\(finding.file): \(finding.pointer): \(finding.rule): \(finding.excerpt)")
            }
            console.note("\(files.count) files, \(findings.count) findings")
        }
        return findings.isEmpty ? ExitStatus.fine : ExitStatus.failed
    }
}

/// `tapedeck sanitize`: applies the rules of today to cassettes.
struct SanitizeCommand: Sendable {
    let settings: Settings
    let console: Console

    func run() throws -> Int32 {
        for path in settings.arguments.operands {
            guard CassetteFolder(path).isCassette else {
                throw CommandError(
                    status: ExitStatus.usage, "\(path) is no cassette", advice: "name the folder that has cassette.json"
                )
            }
            let sanitizer = try readSanitizer(settings, console, cassettes: [path])
            let summary = try CassetteCleaner(folder: path, sanitizer: sanitizer).run()
            for name in summary.changed { console.out("changed  \(name)") }
            for hidden in summary.hidden { console.out("hidden   \(hidden.rule)  \(hidden.location)  \(hidden.count)") }
            console.note("\(path): \(summary.changed.count) changed, \(summary.unchanged) unchanged")
        }
        return ExitStatus.fine
    }
}

/// The rules that hold here: the configuration's, the secrets named by variable, and the places of the cassettes.
private func readSanitizer(_ settings: Settings, _ console: Console, cassettes: [String]) throws -> Sanitizer {
    let configuration = try ConfigurationFile(settings).load()
    let places = cassettes.flatMap { path in (try? Cassette.manifest(folder: path))??.secretPlaces ?? [] }
    return try Sanitizer(
        configuration, secretVariables: settings.values(Options.secretEnv).map(\.text), places: places,
        variable: { settings.variables[$0] }, warn: console.note)
}
