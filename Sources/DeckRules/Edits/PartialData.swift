package import CassetteKit

/// A GraphQL answer that is complete but for one field: that one is null, and `errors` says where.
package enum PartialData {
    /// Nulls the last field of `data`; where `data` has one field only, and that is an object, the last one in it.
    ///
    /// - Returns: whether the body is a GraphQL answer with data.
    package static func spoil(_ body: inout JSONValue) -> Bool {
        guard case .object(var members) = body, let place = members.firstIndex(where: { $0.key.isText("data") }),
            let path = nullLast(in: &members[place].value), !path.isEmpty
        else { return false }
        members.removeAll { $0.key.isText("errors") }
        members.append(
            JSONMember(
                "errors",
                .array([
                    .object([
                        JSONMember("message", .text("Something went wrong on the server.")),
                        JSONMember("path", .array(path.map { .string($0) })),
                        JSONMember("extensions", .object([JSONMember("code", .text("INTERNAL_SERVER_ERROR"))])),
                    ])
                ])))
        body = .object(members)
        return true
    }

    /// - Returns: the keys that lead to the value; nil where there is none.
    private static func nullLast(in data: inout JSONValue) -> [JSONString]? {
        guard case .object(var members) = data, let last = members.indices.last else { return nil }
        var path = [members[last].key]
        if members.count == 1, let deeper = nullLast(in: &members[last].value) {
            path += deeper
        } else {
            members[last].value = .null
        }
        data = .object(members)
        return path
    }
}
