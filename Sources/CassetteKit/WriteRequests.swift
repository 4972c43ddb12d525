package import HTTPCore

/// Which requests change something at the server, for the playback policy `followWrites`.
package enum WriteRequests {
    /// POST, PUT, PATCH and DELETE are writes; of GraphQL requests only those that carry a mutation.
    package static func isWrite(_ request: RawRequest) -> Bool {
        isWrite(method: request.method, fields: request.fields, body: request.body)
    }

    package static func isWrite(method: String, fields: Fields, body: Bytes?) -> Bool {
        guard ["POST", "PUT", "PATCH", "DELETE"].contains(method) else { return false }
        guard method == "POST", let body, !body.isEmpty, body.count <= 1 << 20,
            let type = fields.first("Content-Type").flatMap({ MediaType.parse($0) })
        else { return true }
        if type.subtype == "graphql" { return isMutation(body) }
        guard type.isJSON, let document = try? JSONText.parse(body) else { return true }
        let requests = document.elements ?? [document]
        let kinds = requests.map(kind)
        if kinds.contains(nil) || kinds.isEmpty { return true }
        return kinds.contains(.write)
    }

    private enum Kind { case read, write }

    /// What a GraphQL request does; nil if it is none. A hash without its text counts as reading: that is how clients ask
    /// whether the server knows it.
    private static func kind(_ request: JSONValue) -> Kind? {
        if let query = request["query"]?.text {
            let octets = Bytes(query.utf8)
            guard MatchGraphQL.isDocument(octets) else { return nil }
            return isMutation(octets) ? .write : .read
        }
        return request["extensions"]?["persistedQuery"] == nil ? nil : .read
    }

    /// Whether a document defines a mutation: the word stands outside of all braces.
    private static func isMutation(_ document: Bytes) -> Bool {
        let folded = MatchGraphQL.folded(document)
        var depth = 0
        var at = 0
        let word = Bytes("mutation".utf8)
        while at < folded.count {
            switch folded[at] {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"): depth -= 1
            case word[0] where depth == 0 && (at == 0 || !isNameOctet(folded[at - 1])):
                let end = at + word.count
                if end <= folded.count, folded[at..<end].elementsEqual(word),
                    end == folded.count || !isNameOctet(folded[end])
                {
                    return true
                }
            default: break
            }
            at += 1
        }
        return false
    }

    private static func isNameOctet(_ octet: UInt8) -> Bool {
        (octet | 0x20) >= 0x61 && (octet | 0x20) <= 0x7A || octet >= 0x30 && octet <= 0x39 || octet == UInt8(ascii: "_")
    }
}
