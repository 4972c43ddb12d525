import CassetteKit
import FoundationEssentials
import HTTPCore

/// A request of the control API that has passed the checks.
struct ControlRequest: Sendable {
    /// What stands in the place of the resource's `{name}`, decoded.
    var names: [String: String] = [:]
    /// The query's items, decoded; of a repeated one the first.
    var query: [String: String] = [:]
    var body: Bytes = []

    /// The session that `?session=` names; nil for the default one.
    var session: String? { query["session"] }

    /// Reads the body as a document.
    func document<Document: Decodable>(_ type: Document.Type) throws(Refusal) -> Document {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch {
            throw Refusal(
                400, "document", "The body is not the JSON document that this resource takes (\(type)).",
                "See /openapi.json, or `tapedeck ctl --help` for the same by command.")
        }
    }

    /// Checks the body of a resource that needs nothing said: an object, `{}`.
    func checkObject() throws(Refusal) {
        guard let value = try? JSONText.parse(body), value.members != nil else {
            throw Refusal(400, "document", "The body is not a JSON object.", "Send {}.")
        }
    }

    /// Reads the items of a target's query (`?a=b&c`).
    static func query(of target: String) -> [String: String] {
        guard let mark = target.firstIndex(of: "?") else { return [:] }
        var items: [String: String] = [:]
        for item in target[target.index(after: mark)...].split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = decoded(parts[0])
            if items[name] == nil { items[name] = parts.count > 1 ? decoded(parts[1]) : "" }
        }
        return items
    }

    static func decoded(_ text: Substring) -> String {
        String(decoding: percentDecode(text.utf8, plusIsSpace: false), as: UTF8.self)
    }
}
