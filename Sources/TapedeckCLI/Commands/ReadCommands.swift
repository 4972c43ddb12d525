import CassetteKit
import SystemIO

/// `tapedeck ls`: the interactions of a cassette, one a line.
struct ListCommand: Sendable {
    let settings: Settings
    let console: Console

    func run() throws -> Int32 {
        let cassette = try openCassette(settings.arguments.operands[0])
        let listing = Listing(readingOrder(cassette.interactions))
        if try settings.flag(Options.json) {
            console.out(octets: JSONText.write(listing.json, layout: JSONLayout(.indent2, lf: true)))
        } else {
            listing.lines(color: console.outHasColor).forEach(console.out)
            if !cassette.orphans.isEmpty {
                console.note("no interaction needs these files: \(cassette.orphans.joined(separator: ", "))")
            }
        }
        return ExitStatus.fine
    }
}

/// `tapedeck show`: interactions as people read them, or one body's octets.
struct ShowCommand: Sendable {
    let settings: Settings
    let console: Console

    func run() throws -> Int32 {
        let words = settings.arguments.operands
        let cassette = try openCassette(words[0])
        let picked = try NameSelection.pick(Array(words.dropFirst()), from: readingOrder(cassette.interactions))
        if try settings.flag(Options.body) {
            try writeBody(picked)
        } else if try settings.flag(Options.json) {
            let documents = try picked.map { try document($0, in: cassette.folder) }
            console.out(octets: JSONText.write(.array(documents), layout: JSONLayout(.indent2, lf: true)))
        } else {
            for (index, interaction) in picked.enumerated() {
                if index > 0 { console.out("") }
                let limit = picked.count == 1 ? Int.max : InteractionView.shortBody
                InteractionView(interaction, color: console.outHasColor, bodyLimit: limit).lines.forEach(console.out)
            }
        }
        return ExitStatus.fine
    }

    private func writeBody(_ picked: [Interaction]) throws {
        guard picked.count == 1, let interaction = picked.first else {
            let names = picked.prefix(5).map(\.name).joined(separator: ", ")
            throw UsageError(
                "--body writes one body, and \(picked.count) interactions were named: \(names)",
                advice: "give the whole name of one")
        }
        if let body = interaction.response?.body {
            console.out(octets: try body.octets())
        }
    }

    /// The interaction's file as it is, with its name in front.
    private func document(_ interaction: Interaction, in folder: CassetteFolder) throws -> JSONValue {
        let stored = try JSONText.parse(try Files.read(folder.interaction(interaction.name)))
        return .object([JSONMember("name", .text(interaction.name))] + (stored.members ?? []))
    }
}

/// Reads a cassette.
///
/// - Throws: `CommandError` with status 2 for a defective file: the place, what is wrong, what to do.
func openCassette(_ path: String) throws(CommandError) -> Cassette {
    do throws(FormatError) {
        return try Cassette.load(folder: path)
    } catch {
        var bare = error
        bare.advice = ""
        throw CommandError(
            status: ExitStatus.usage, bare.description, advice: error.advice.isEmpty ? nil : error.advice)
    }
}

/// By URL and method, equal requests by their ordinals: what belongs together stands together.
private func readingOrder(_ interactions: [Interaction]) -> [Interaction] {
    interactions.sorted { left, right in
        let one = (String(decoding: left.request.url, as: UTF8.self), left.request.method)
        let other = (String(decoding: right.request.url, as: UTF8.self), right.request.method)
        return one == other ? (left.ordinal, left.name) < (right.ordinal, right.name) : one < other
    }
}
