package import HTTPCore

/// What a route takes: `METHOD path?query` with places for parameters, as people write it.
///
/// Paths and queries are compared as octets in the normal form of ``normalizePercent(_:)``: the case of percent escapes and
/// escaped unreserved characters make no difference, `//`, `/./` and `%2F` stay what they are.
package struct RoutePattern: Sendable, Hashable {
    /// The pattern as written.
    package var text: String
    /// The method, case-sensitive; nil for any (`*`).
    package var method: String?
    /// The path's segments, without the slash before each.
    package var segments: [TextPattern]
    /// The name of the parameter that takes the rest of the path (`{name...}`), which may be empty or have slashes.
    package var rest: String?
    package var query: QueryPattern

    /// Whether it takes requests for a tunnel: `CONNECT HOST`, whose path is the host and its port behind a slash.
    package var isConnect: Bool { method == connectMethod }

    /// Whether a request with this method can be meant. Any method (`*`) is any of those that ask for a path.
    func takes(method: String) -> Bool { self.method == method || (self.method == nil && method != connectMethod) }

    /// The names of all parameters, in the order of the path, then the query.
    package var parameterNames: [String] {
        segments.flatMap(\.parameterNames) + (rest.map { [$0] } ?? [])
            + query.items.flatMap { $0.value?.parameterNames ?? [] }
    }

    /// Takes a request and gives its parameters, or nil where the pattern does not take it.
    ///
    /// Values are percent-decoded, in queries with `+` for a space; octets that are not UTF-8 are replaced by U+FFFD.
    package func match(method: String, path: Bytes, query: [QueryItem], ignoring ignored: [Bytes] = []) -> [String:
        String]?
    {
        guard takes(method: method) else { return nil }
        let path = normalizedPath(path)
        let query = normalizedQuery(query)
        guard takes(path: path), self.query.matches(query, ignoring: ignored) else { return nil }
        return parameters(path: path, query: query, ignoring: ignored)
    }

    /// Tells whether the pattern takes a request; path and query as sent.
    func takes(_ method: String, _ path: Bytes, _ query: Bytes?, ignoring ignored: [Bytes]) -> Bool {
        guard takes(method: method), takes(path: normalizedPath(path)) else { return false }
        let items = query.map { $0.isEmpty ? [] : normalizedQuery(splitQuery($0)) } ?? []
        return self.query.matches(items, ignoring: ignored)
    }

    /// Tells whether the segments are those of a path in normal form.
    func takes(path: Bytes) -> Bool {
        var index = 0
        var position = path.startIndex
        guard path.first == UInt8(ascii: "/") else { return false }
        while position < path.endIndex {
            if index == segments.count { return rest != nil }
            let end = path[(position + 1)...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
            guard segments[index].matches(path[(position + 1)..<end], allowsEmpty: false) else { return false }
            index += 1
            position = end
        }
        return index == segments.count && rest == nil
    }

    /// The names of the parameters that stand in the path.
    package var pathParameterNames: [String] { segments.flatMap(\.parameterNames) + (rest.map { [$0] } ?? []) }

    /// A path that the pattern takes with the names of some parameters, in braces, in place of their values: the same for all
    /// their values. In normal form.
    package func path(_ path: Bytes, sharing names: Set<String>) -> Bytes {
        let path = normalizedPath(path)
        var out = Bytes()
        var position = path.startIndex
        for segment in segments {
            let end = path[(position + 1)...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
            out.append(UInt8(ascii: "/"))
            out += segment.text(path[(position + 1)..<end], sharing: names)
            position = end
        }
        guard let rest, names.contains(rest) else { return out + path[position...] }
        return out + Bytes("/{\(rest)}".utf8)
    }

    /// The parameters of a request that the pattern takes; path and query in normal form.
    func parameters(path: Bytes, query: [QueryItem], ignoring ignored: [Bytes]) -> [String: String] {
        var found: [String: String] = [:]
        var position = path.startIndex
        for segment in segments {
            let end = path[(position + 1)...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
            for (name, value) in segment.values(in: path[(position + 1)..<end]) ?? [] {
                found[name] = decoded(value, plusIsSpace: false)
            }
            position = end
        }
        if let rest, position < path.endIndex {
            found[rest] = decoded(path[(position + 1)...], plusIsSpace: false)
        }
        for (name, value) in self.query.values(in: query, ignoring: ignored) {
            found[name] = decoded(value, plusIsSpace: true)
        }
        return found
    }

    private func decoded(_ octets: ArraySlice<UInt8>, plusIsSpace: Bool) -> String {
        String(decoding: percentDecode(octets, plusIsSpace: plusIsSpace), as: UTF8.self)
    }
}

/// The method that asks for a tunnel.
let connectMethod = "CONNECT"

/// A path in the normal form that patterns are compared in; the same octets where it has no escape.
func normalizedPath(_ path: Bytes) -> Bytes {
    path.contains(UInt8(ascii: "%")) ? normalizePercent(path) : path
}

/// Query items in normal form.
func normalizedQuery(_ items: [QueryItem]) -> [QueryItem] {
    guard
        items.contains(where: { $0.name.contains(UInt8(ascii: "%")) || $0.value?.contains(UInt8(ascii: "%")) == true })
    else { return items }
    return items.map { item in
        var item = item
        item.name = normalizePercent(item.name)
        item.value = item.value.map { normalizePercent($0) }
        return item
    }
}
