package import HTTPCore
import SystemIO

/// Something in a file that may be a secret.
package struct ScanFinding: Sendable, Hashable {
    /// The file's path.
    package var file: String
    /// A JSON pointer, a place in a message, or `octet N`.
    package var pointer: String
    /// The rule or detector.
    package var rule: String
    /// The first characters and the length; never the value.
    package var excerpt: String
}

/// Looks through files for secrets that were left: with a scanner that knows no rules, and with the rules of today.
package struct CassetteScan: Sendable {
    private let scanner = SecretScanner()
    private let sanitizer: Sanitizer

    package init(sanitizer: Sanitizer) {
        self.sanitizer = sanitizer
    }

    /// What is found in a file, by its octets.
    ///
    /// - Parameter path: for the report, and to tell an interaction of a cassette.
    package func findings(_ octets: Bytes, path: String) -> [ScanFinding] {
        var octets = octets
        if octets.starts(with: [0x1F, 0x8B]), let decoded = sanitizer.codecs.decode("gzip", octets) {
            octets = decoded
        }
        var found = byScanner(octets, path)
        found += byRules(octets, path)
        return found.unique()
    }

    // MARK: Scanner

    private func byScanner(_ octets: Bytes, _ path: String) -> [ScanFinding] {
        octets.withUnsafeBufferPointer { source in
            if let found = json(source, path) { return found }
            return scanner.findings(source, 0..<source.count, name: nil).map { finding in
                ScanFinding(
                    file: path, pointer: "octet \(finding.range.lowerBound)", rule: finding.detector,
                    excerpt: Self.masked(source[finding.range]))
            }
        }
    }

    /// An open container: the present member, and the string that `"name"` had (as HAR has it).
    private struct Frame {
        var isObject: Bool
        var index = -1
        var name: [UInt8] = []
        var label: [UInt8]?
    }

    /// What is found in the strings of JSON text; nil if the octets are none.
    private func json(_ source: UnsafeBufferPointer<UInt8>, _ path: String) -> [ScanFinding]? {
        var cursor = JSONCursor(source, 0..<source.count)
        var frames: [Frame] = []
        var found: [ScanFinding] = []
        while true {
            let token = cursor.next()
            switch token {
            case .beginObject, .beginArray:
                advance(&frames)
                frames.append(Frame(isObject: token == .beginObject))
            case .endObject, .endArray: frames.removeLast()
            case .name: frames[frames.count - 1].name = SanitizerView(source, cursor.range, undoing: .json).octets
            case .string:
                advance(&frames)
                found += string(SanitizerView(source, cursor.range, undoing: .json).octets, &frames, path)
            case .number, .bool, .null: advance(&frames)
            case .end: return found
            case .tooDeep, .malformed: return nil
            }
        }
    }

    private func advance(_ frames: inout [Frame]) {
        if !frames.isEmpty { frames[frames.count - 1].index += 1 }
    }

    private func string(_ value: [UInt8], _ frames: inout [Frame], _ path: String) -> [ScanFinding] {
        var name: [UInt8]?
        if let frame = frames.last(where: \.isObject) {
            name = frame.name
            if frames[frames.count - 1].isObject, frame.name.elementsEqual("name".utf8) {
                frames[frames.count - 1].label = value
            } else if frame.name.elementsEqual("value".utf8), let label = frame.label {
                name = label
            }
        }
        let texts = [value] + (encoded(value).map { [$0] } ?? [])
        return texts.flatMap { text in
            text.withUnsafeBufferPointer { octets in
                scanner.findings(octets, 0..<octets.count, name: name).map { finding in
                    ScanFinding(
                        file: path, pointer: Self.pointer(frames), rule: finding.detector,
                        excerpt: Self.masked(octets[finding.range]))
                }
            }
        }
    }

    /// The octets of a string that is Base64 as a whole.
    private func encoded(_ value: [UInt8]) -> [UInt8]? {
        guard value.count >= 16 else { return nil }
        return value.withUnsafeBufferPointer { Base64.decode($0, 0..<$0.count) }
    }

    private static func pointer(_ frames: [Frame]) -> String {
        frames.map { "/" + ($0.isObject ? JSONPointer.escape($0.name.prefix(64)) : String($0.index)) }.joined()
    }

    // MARK: Rules

    /// The keys of an interaction that this program does not know, as paths; none for any other file.
    package func unknownKeys(_ octets: Bytes, path: String) -> [String] {
        interaction(octets, path)?.unknownKeys ?? []
    }

    private func interaction(_ octets: Bytes, _ path: String) -> Interaction? {
        let parts = path.split(separator: "/")
        guard path.hasSuffix(".json"), parts.count >= 2, parts[parts.count - 2] == "interactions",
            let name = parts.last
        else { return nil }
        return try? InteractionFormat.read(
            octets, name: String(name), folder: String(path.dropLast(name.count + 1)))
    }

    private func byRules(_ octets: Bytes, _ path: String) -> [ScanFinding] {
        if let archive = ArchiveMessages(octets) { return archive.entries.flatMap { byRules($0, path) } }
        guard let interaction = interaction(octets, path),
            let result = try? InteractionSanitizer(sanitizer: sanitizer, folder: CassetteFolder("")).sanitized(
                interaction, ledger: SecretLedger(), name: { _ in interaction.name })
        else { return [] }
        return result.hidden.map { Self.finding($0, path, "") }
    }

    /// What the rules find in an archive's exchange. Its own body is decoded already, whatever its fields say.
    private func byRules(_ entry: ArchiveMessages.Entry, _ path: String) -> [ScanFinding] {
        let ledger = SecretLedger()
        let request = sanitizer.request(entry.request, .undone(nil), ledger: ledger)
        let response = sanitizer.response(
            entry.response, .undone(nil), to: entry.request, stem: "archive", ordinal: 1, ledger: ledger)
        return (request.hidden + response.hidden).map { Self.finding($0, path, entry.pointer + " ") }
    }

    private static func finding(_ hidden: HiddenCount, _ path: String, _ prefix: String) -> ScanFinding {
        ScanFinding(
            file: path, pointer: prefix + hidden.location.description, rule: hidden.rule,
            excerpt: hidden.count == 1 ? "1 value" : "\(hidden.count) values")
    }

    /// The first four characters of sixteen or more, and how many there are.
    private static func masked(_ octets: some Collection<UInt8>) -> String {
        let shown =
            octets.count < 16
            ? "" : String(decoding: octets.prefix(4).map { (0x21..<0x7F).contains($0) ? $0 : 0x2E }, as: UTF8.self)
        return "\(shown)… (\(octets.count) octets)"
    }
}

extension CassetteScan {
    /// The files below a path, or the path itself, in order; without what version control and recorders keep for themselves.
    ///
    /// - Throws: `FormatError` for a path that is not there.
    package static func files(_ path: String) throws(FormatError) -> [String] {
        guard Files.exists(path) else { throw FormatError(file: path, message: "there is no such file or folder") }
        guard Files.isDirectory(path) else { return [path] }
        var found: [String] = []
        do throws(SystemError) {
            for name in try Files.list(path).sorted() where name != ".git" && name != ".lock" {
                let below = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
                if Files.isDirectory(below) {
                    found += (try? files(below)) ?? []
                } else {
                    found.append(below)
                }
            }
        } catch {
            throw FormatError(file: path, message: "the folder can't be read: \(error.reason)")
        }
        return found
    }
}
