import CassetteKit
import HTTPCore

/// The interactions of a cassette, one a line or one an object.
struct Listing: Sendable {
    private let interactions: [Interaction]

    /// - Parameter interactions: in the order in which they are shown.
    init(_ interactions: [Interaction]) {
        self.interactions = interactions
    }

    /// A table for people. Paths stand alone where all requests went to one authority.
    func lines(color: Bool) -> [String] {
        if interactions.isEmpty {
            return ["no interactions"]
        }
        let origins = Set(interactions.map { "\($0.request.scheme)://\($0.request.authority.text)" })
        var table = Table([
            ("METHOD", .left), ("STATUS", .right), ("#", .left), ("BODY", .left), ("NAME", .left), ("PATH", .left),
        ])
        for interaction in interactions {
            let place = origins.count == 1 ? interaction.request.target : interaction.request.url
            table.add([
                interaction.request.method, status(interaction), ordinal(interaction),
                interaction.response?.body.map { BodySummary($0).text } ?? "-", shortName(interaction),
                String(decoding: place, as: UTF8.self),
            ])
        }
        let count = interactions.count == 1 ? "1 interaction" : "\(interactions.count) interactions"
        let origin = origins.count == 1 ? " with \(origins.first ?? "")" : ""
        return table.lines(color: color) + ["", count + origin]
    }

    /// An array with an object for each interaction.
    var json: JSONValue {
        .array(interactions.map(object))
    }

    private func object(_ interaction: Interaction) -> JSONValue {
        var members = [
            JSONMember("name", .text(interaction.name)), JSONMember("method", .text(interaction.request.method)),
            JSONMember("url", .text(String(decoding: interaction.request.url, as: UTF8.self))),
            JSONMember("ordinal", .integer(interaction.ordinal)), JSONMember("repeat", .integer(interaction.repeats)),
        ]
        switch interaction.outcome {
        case .response(let response):
            members.append(JSONMember("status", .integer(response.status)))
            if let body = response.body { members.append(JSONMember("body", BodySummary(body).json)) }
        case .error(let error):
            members.append(JSONMember("error", .text(error.label)))
        }
        return .object(members)
    }

    private func status(_ interaction: Interaction) -> String {
        switch interaction.outcome {
        case .response(let response): String(response.status)
        case .error(let error): error.label
        }
    }

    private func ordinal(_ interaction: Interaction) -> String {
        interaction.repeats > 1 ? "\(interaction.ordinal) ×\(interaction.repeats)" : "\(interaction.ordinal)"
    }

    private func shortName(_ interaction: Interaction) -> String {
        interaction.name.hasSuffix(".json") ? String(interaction.name.dropLast(5)) : interaction.name
    }
}
