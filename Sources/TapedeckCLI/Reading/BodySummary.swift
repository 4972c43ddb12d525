import CassetteKit
import SystemIO

/// What a listing says of a body: what it is, how large, and how it was coded.
struct BodySummary: Sendable, Equatable {
    /// How the cassette keeps it.
    enum Kind: String, Sendable {
        case json, text, binary, file
    }

    let kind: Kind
    /// Octets after content decoding; nil where the file beside cannot be looked at.
    let size: Int?
    let coding: String?

    init(_ body: RecordedBody) {
        switch body.content {
        case .json: kind = .json
        case .text: kind = .text
        case .base64: kind = .binary
        case .file: kind = .file
        }
        size = BodySummary.size(of: body)
        coding = body.coding
    }

    /// `json 1.2 KiB gzip`
    var text: String {
        [kind.rawValue, size.map(readableSize), coding].compactMap { $0 }.joined(separator: " ")
    }

    var json: JSONValue {
        var members = [JSONMember("kind", .text(kind.rawValue))]
        if let size { members.append(JSONMember("size", .integer(size))) }
        if let coding { members.append(JSONMember("coding", .text(coding))) }
        return .object(members)
    }

    private static func size(of body: RecordedBody) -> Int? {
        switch body.content {
        case .json(let value, let layout): JSONText.write(value, layout: layout).count
        case .text(let octets), .base64(let octets): octets.count
        case .file(let file): try? Files.size(file.path)
        }
    }
}

/// A number of octets for people: exact below 1 KiB, else in KiB or MiB with one decimal.
func readableSize(_ octets: Int) -> String {
    switch octets {
    case ..<1024: return "\(octets) B"
    case ..<(1024 * 1024): return tenths(octets, of: 1024) + " KiB"
    default: return tenths(octets, of: 1024 * 1024) + " MiB"
    }
}

private func tenths(_ octets: Int, of unit: Int) -> String {
    let rounded = (octets * 10 + unit / 2) / unit
    return "\(rounded / 10).\(rounded % 10)"
}
