package import HTTPCore

/// The names of GraphQL operations: for the names of files, and for routes that name one.
package enum OperationName {
    /// The `operationName` of a JSON body, or of the first request of a batch; else the first name in its `query`.
    /// nil where there is none.
    static func of(_ body: Bytes, fields: Fields) -> String? {
        guard body.count <= 1 << 20, let type = fields.first("Content-Type").flatMap({ MediaType.parse($0) }),
            type.isJSON,
            let document = try? JSONText.parse(body)
        else { return nil }
        let request = document.elements?.first ?? document
        guard let query = request["query"]?.text ?? request["extensions"].map({ _ in "" }) else { return nil }
        if let name = request["operationName"]?.text, !name.isEmpty { return name }
        return named(in: query)
    }

    /// The names of all operations that a request carries: in a JSON body, a batch of them, or the query of a GET.
    package static func all(in body: Bytes, fields: Fields, query: ArraySlice<UInt8>?) -> [String] {
        if body.isEmpty {
            let items = splitQuery(query ?? [])
            func item(_ name: String) -> String? {
                let value = items.first { $0.name.elementsEqual(name.utf8) }?.value
                return value.map { String(decoding: percentDecode($0, plusIsSpace: true), as: UTF8.self) }
            }
            return (item("operationName") ?? item("query").flatMap(named)).map { [$0] } ?? []
        }
        guard body.count <= 1 << 20, let type = fields.first("Content-Type").flatMap({ MediaType.parse($0) }),
            type.isJSON, let document = try? JSONText.parse(body)
        else { return [] }
        return (document.elements ?? [document]).compactMap { request in
            if let name = request["operationName"]?.text, !name.isEmpty { return name }
            return request["query"]?.text.flatMap(named)
        }
    }

    /// The name behind `query`, `mutation` or `subscription` at the start of a document.
    private static func named(in query: String) -> String? {
        let words = query.utf8.split { !isNameOctet($0) }.prefix(2)
        let kinds = ["query", "mutation", "subscription"]
        guard words.count == 2, let kind = words.first, kinds.contains(where: { $0.utf8.elementsEqual(kind) }),
            let brace = query.utf8.firstIndex(of: UInt8(ascii: "{")), words[1].startIndex < brace
        else { return nil }
        return String(words[1])
    }

    private static func isNameOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
        default: false
        }
    }
}
