import CassetteKit
import HTTPCore

/// One interaction as people read it: request, then response, bodies laid out.
struct InteractionView: Sendable {
    private let interaction: Interaction
    private let color: Bool
    /// The most lines of one body that are shown.
    private let bodyLimit: Int

    /// More lines of a body than this are in the way where several interactions are read.
    static let shortBody = 120

    init(_ interaction: Interaction, color: Bool, bodyLimit: Int = .max) {
        self.interaction = interaction
        self.color = color
        self.bodyLimit = bodyLimit
    }

    var lines: [String] {
        var lines = [Style.strong.applied(to: interaction.name, color: color) + remarks]
        if let note = interaction.note {
            lines.append("note: \(note)")
        }
        if let match = interaction.match {
            lines.append(
                "match: " + String(decoding: JSONText.write(match, layout: JSONLayout(.spaced)), as: UTF8.self))
        }
        let request = interaction.request
        let url = String(decoding: request.url, as: UTF8.self)
        lines += ["", "→ " + Style.name.applied(to: "\(request.method) \(url)", color: color)]
        lines += fields(request.fields) + body(request.body, request.fields) + trailers(request.trailers)
        switch interaction.outcome {
        case .response(let response):
            for head in response.informational {
                lines += ["", "← " + startLine(head.status, head.reason)] + fields(head.fields)
            }
            lines += ["", "← " + startLine(response.status, response.reason)] + fields(response.fields)
            lines += body(response.body, response.fields) + trailers(response.trailers)
        case .error(let error):
            let label = Style.bad.applied(to: error.label, color: color)
            lines += ["", "← no response: \(label) (clients get \(error.status))", "  \(error.message)"]
        }
        return lines
    }

    private var remarks: String {
        var remarks: [String] = []
        if interaction.repeats > 1 { remarks.append("the same answer \(interaction.repeats) times") }
        if let after = interaction.after, after > 0 {
            remarks.append("after \(after) \(after == 1 ? "write" : "writes")")
        }
        if interaction.optional { remarks.append("optional") }
        return remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))"
    }

    private func startLine(_ status: Int, _ reason: Bytes) -> String {
        let style: Style = status < 400 ? .good : .bad
        let text = reason.isEmpty ? "\(status)" : "\(status) \(String(decoding: reason, as: UTF8.self))"
        return style.applied(to: text, color: color)
    }

    private func fields(_ fields: Fields) -> [String] {
        (0..<fields.count).map { index in
            let name = String(decoding: fields.name(at: index), as: UTF8.self)
            return "  " + Style.faint.applied(to: "\(name):", color: color) + " "
                + visible(String(decoding: fields.value(at: index), as: UTF8.self))
        }
    }

    private func trailers(_ trailers: Fields) -> [String] {
        trailers.isEmpty ? [] : ["", "  trailers:"] + fields(trailers)
    }

    private func body(_ body: RecordedBody?, _ fields: Fields) -> [String] {
        guard let body else { return [] }
        let summary = BodySummary(body)
        let coding = summary.coding.map { ", sent as \($0)" } ?? ""
        switch body.content {
        case .json(let value, _):
            return [""] + textLines(JSONText.write(value, layout: JSONLayout(.indent2)))
        case .text(let octets):
            return [""] + textLines(octets)
        case .base64, .file:
            let type = fields.text("Content-Type") ?? "octets"
            let size = summary.size.map(readableSize) ?? "its file is missing"
            return ["", "  [\(visible(type)), \(size)\(coding); --body writes it]"]
        }
    }

    private func textLines(_ octets: Bytes) -> [String] {
        let text = String(decoding: octets.last == 10 ? octets.dropLast() : octets[...], as: UTF8.self)
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let shown = lines.prefix(bodyLimit).map { "  " + visible(String($0)) }
        let further = lines.count - shown.count
        return further == 0 ? shown : shown + ["  … \(further) more lines: show this one alone, or --body"]
    }

    /// Control characters as escapes: what was recorded must not steer the terminal.
    private func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { isControl($0) }) else { return text }
        return text.unicodeScalars.map { isControl($0) ? "\\u{\(String($0.value, radix: 16))}" : String($0) }.joined()
    }

    private func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 9: false
        case ..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
