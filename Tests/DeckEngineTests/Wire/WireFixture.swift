import HTTPCore
import SystemIO
import Testing

/// Octets that pass between a client, a deck and an upstream, and what must come of them; one part of a `.wire` file.
///
/// `Fixtures/README.md` describes the format.
struct WireFixture: Sendable, CustomTestStringConvertible {
    /// One request with its answer.
    struct Exchange: Sendable {
        /// What a client does, in order.
        enum Act: Sendable {
            case send(Bytes)
            /// Reads the interim answer 100.
            case awaitContinue
            /// Ends the sending side.
            case finish
        }

        var acts: [Act] = []
        /// The upstream's octets; empty where it is not asked.
        var answer: Bytes = []
        var ending = Ending.open
        /// Sent on the connection of the exchange before.
        var isOnSameConnection = false
        /// Sent to the replaying deck only.
        var isReplayOnly = false
        var recordClaims: [WireClaim] = []
        var replayClaims: [WireClaim] = []

        /// The octets behind the head of the answer.
        var answerBody: Bytes {
            let mark: Bytes = [13, 10, 13, 10]
            var at = 0
            while at + 4 <= answer.count {
                if answer[at..<(at + 4)].elementsEqual(mark) { return Bytes(answer[(at + 4)...]) }
                at += 1
            }
            return []
        }
    }

    /// What an upstream does after its answer.
    enum Ending: String, Sendable { case open, close, reset }

    var title: String
    var isForward = false
    /// The text of a `tapedeck.json` for both runs, or for the replay alone.
    var configuration = #"{"version": 1}"#
    var replayConfiguration: String?
    /// Interactions in the cassette at the end; nil for any number.
    var stored: Int?
    /// Requests that the upstream saw; nil for any number.
    var asked: Int?
    /// Texts that stand in no file, no log and no request to the upstream, or only in no file and no log.
    var never: [String] = []
    var hidden: [String] = []
    /// Texts that stand in some file.
    var kept: [String] = []
    var exchanges: [Exchange] = [Exchange()]

    var testDescription: String { title }

    /// Every fixture beside this file.
    static let all: [WireFixture] = {
        let folder = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/Fixtures"
        let names = (try? Files.list(folder)) ?? []
        return names.filter { $0.hasSuffix(".wire") }.sorted().flatMap { name in
            ((try? Files.read("\(folder)/\(name)")).map { parse(String(decoding: $0, as: UTF8.self)) }) ?? []
        }
    }()

    /// Reads the fixtures of one file.
    static func parse(_ text: String) -> [WireFixture] {
        var found: [WireFixture] = []
        for line in text.split(separator: "\n") where !line.hasPrefix(";") {
            if line.hasPrefix("=== ") {
                found.append(WireFixture(title: String(line.dropFirst(4))))
            } else if !found.isEmpty {
                found[found.count - 1].read(line)
            }
        }
        return found
    }

    private mutating func read(_ line: Substring) {
        let word = line.prefix { $0 != " " }
        let rest = String(line.dropFirst(word.count + 1))
        let last = exchanges.count - 1
        switch word {
        case ">": exchanges[last].acts.append(.send(WireText.octets(rest)))
        case "<": exchanges[last].answer += WireText.octets(rest)
        case "<#": exchanges[last].answer += WireText.numbered(rest)
        case "wait-continue": exchanges[last].acts.append(.awaitContinue)
        case "finish": exchanges[last].acts.append(.finish)
        case "end": exchanges[last].ending = Ending(rawValue: rest) ?? .open
        case "exchange":
            exchanges.append(
                Exchange(isOnSameConnection: rest.hasSuffix("same"), isReplayOnly: rest.hasPrefix("replay")))
        case "form": isForward = rest == "forward"
        case "config": configuration = rest
        case "replay-config": replayConfiguration = rest
        case "stored": stored = Int(rest)
        case "asked": asked = Int(rest)
        case "never": never.append(rest)
        case "hides": hidden.append(rest)
        case "keeps": kept.append(rest)
        case "record:": exchanges[last].recordClaims.append(claim(rest))
        case "replay:": exchanges[last].replayClaims.append(claim(rest))
        default:
            exchanges[last].recordClaims.append(claim(String(line)))
            exchanges[last].replayClaims.append(claim(String(line)))
        }
    }

    private func claim(_ text: String) -> WireClaim {
        guard let claim = WireClaim(text) else {
            Issue.record("'\(title)' has a line that nobody reads: \(text)")
            return .nothing
        }
        return claim
    }
}

/// The notation of octets in fixtures: `\r`, `\n`, `\t`, `\\`, `\xNN`, and `*COUNT TEXT` for repeats.
enum WireText {
    static func octets(_ text: String) -> Bytes {
        guard text.hasPrefix("*"), let space = text.firstIndex(of: " "), let count = Int(text[..<space].dropFirst())
        else {
            return plain(text)
        }
        let piece = plain(String(text[text.index(after: space)...]))
        var all = Bytes()
        all.reserveCapacity(piece.count * count)
        for _ in 0..<count { all += piece }
        return all
    }

    /// `COUNT TEXT`: the text so often, `%` standing for the number.
    static func numbered(_ text: String) -> Bytes {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let count = Int(parts[0]) else { return [] }
        return (0..<count).flatMap { plain(String(parts[1]).replacing("%", with: String($0))) }
    }

    private static func plain(_ text: String) -> Bytes {
        let source = Array(text.utf8)
        var octets = Bytes()
        var at = 0
        while at < source.count {
            guard source[at] == UInt8(ascii: "\\"), at + 1 < source.count else {
                octets.append(source[at])
                at += 1
                continue
            }
            let digits = String(decoding: source[(at + 2)..<min(at + 4, source.count)], as: UTF8.self)
            switch source[at + 1] {
            case UInt8(ascii: "r"): octets.append(13)
            case UInt8(ascii: "n"): octets.append(10)
            case UInt8(ascii: "t"): octets.append(9)
            case UInt8(ascii: "x"): octets.append(UInt8(digits, radix: 16) ?? 0)
            default: octets.append(source[at + 1])
            }
            at += source[at + 1] == UInt8(ascii: "x") ? 4 : 2
        }
        return octets
    }
}
