import HTTPCore

extension RoutePattern {
    /// Reads a pattern: a method or `*`, one space, a path that begins with `/`, and optionally a query.
    ///
    /// Octets above ASCII are compared as their percent escapes. A literal `{` or `}` is written `%7B`, `%7D`.
    ///
    /// - Throws: ``RuleError`` that names the part which cannot be read.
    package static func parse(_ text: String) throws(RuleError) -> RoutePattern {
        guard let space = text.firstIndex(of: " ") else {
            throw RuleError(
                "the pattern `\(text)` has no method or no path",
                advice: "write METHOD /path, or * /path for any method")
        }
        let method = String(text[..<space])
        guard !method.isEmpty, method.utf8.allSatisfy(isTokenOctet) else {
            throw RuleError("`\(method)` is no method", advice: "write one such as GET, or * for any")
        }
        if method == connectMethod { return try parseConnect(text, text[text.index(after: space)...]) }
        let target = Array(text[text.index(after: space)...].utf8)
        guard target.first == UInt8(ascii: "/") else {
            throw RuleError(
                "the path of `\(text)` does not begin with /", advice: "write one space, then a path from /")
        }
        if let refused = target.first(where: { $0 <= 0x20 || $0 == 0x7f || $0 == UInt8(ascii: "#") }) {
            let shown = refused == UInt8(ascii: "#") ? "a fragment (#)" : "a space or control character"
            throw RuleError("the pattern `\(text)` has \(shown)", advice: "leave it out or write its percent escape")
        }
        let mark = target.firstIndex(of: UInt8(ascii: "?"))
        var pattern = RoutePattern(
            text: text, method: method == "*" ? nil : method, segments: [], rest: nil,
            query: QueryPattern(items: [], isOpen: false))
        try pattern.readPath(target[..<(mark ?? target.endIndex)])
        if let mark { try pattern.readQuery(target[(mark + 1)...]) }
        try pattern.refuseRepeatedNames()
        return pattern
    }

    /// Reads the host of `CONNECT HOST`, `CONNECT HOST:PORT`, `CONNECT *.example.com` or `CONNECT *`. Without a port it takes any.
    private static func parseConnect(_ text: String, _ place: Substring) throws(RuleError) -> RoutePattern {
        let isAny = place == "*" || place.hasPrefix("*:")
        let isBelow = place.hasPrefix("*.")
        let authority: Authority
        do {
            authority = try Authority.parse(
                (isAny ? "any" + place.dropFirst() : isBelow ? place.dropFirst(2) : place).utf8)
        } catch {
            throw RuleError(
                "the host of `\(text)` cannot be read: \(error.message)",
                advice: "write CONNECT api.example.com, CONNECT *.example.com:8443, or CONNECT *")
        }
        if authority.host.isEmpty || authority.host.contains("*") {
            throw RuleError("`\(text)` names no host", advice: "* stands alone or before the first dot")
        }
        let host: [TextPattern.Piece] =
            isAny
            ? [.parameter("host"), .literal(Array(":".utf8))]
            : isBelow
                ? [.parameter("name"), .literal(Array(".\(authority.host):".utf8))]
                : [.literal(Array("\(authority.host):".utf8))]
        return RoutePattern(
            text: text, method: connectMethod, segments: [TextPattern(host, port: authority.port)], rest: nil,
            query: QueryPattern(items: [], isOpen: true))
    }

    private mutating func readPath(_ path: ArraySlice<UInt8>) throws(RuleError) {
        for part in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            if rest != nil {
                throw RuleError("`\(text)` goes on after {\(rest ?? "")...}", advice: "put it at the end of the path")
            }
            if let name = restName(part) {
                rest = name
            } else {
                segments.append(try readText(part))
            }
        }
    }

    private mutating func readQuery(_ octets: ArraySlice<UInt8>) throws(RuleError) {
        for part in octets.split(separator: UInt8(ascii: "&")) {
            if query.isOpen { throw RuleError("`\(text)` goes on after *", advice: "put * at the end of the query") }
            if part.elementsEqual("*".utf8) {
                query.isOpen = true
                continue
            }
            let equals = part.firstIndex(of: UInt8(ascii: "="))
            let name = part[..<(equals ?? part.endIndex)]
            if name.contains(UInt8(ascii: "{")) || name.contains(UInt8(ascii: "}")) {
                throw RuleError(
                    "a query item's name in `\(text)` has a parameter", advice: "only values can, as in ?limit={limit}")
            }
            let value: TextPattern? = if let equals { try readText(part[(equals + 1)...]) } else { nil }
            query.items.append(QueryPattern.Item(name: normalizedLiteral(name), value: value))
        }
        if query.items.count > QueryPattern.mostItems {
            throw RuleError("`\(text)` names more than \(QueryPattern.mostItems) query items", advice: "end it in &*")
        }
    }

    private func readText(_ octets: ArraySlice<UInt8>) throws(RuleError) -> TextPattern {
        var pieces: [TextPattern.Piece] = []
        var rest = octets
        while !rest.isEmpty {
            guard let open = rest.firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else {
                pieces.append(.literal(normalizedLiteral(rest)))
                break
            }
            if open > rest.startIndex { pieces.append(.literal(normalizedLiteral(rest[..<open]))) }
            guard rest[open] == UInt8(ascii: "{"), let close = rest[open...].firstIndex(of: UInt8(ascii: "}")) else {
                throw RuleError(
                    "a brace in `\(text)` has no partner", advice: "write {name}, or %7B and %7D for braces")
            }
            let name = rest[(open + 1)..<close]
            guard isParameterName(name) else { throw refusedName(name) }
            if case .parameter(let before) = pieces.last {
                throw RuleError(
                    "nothing stands between {\(before)} and {\(String(decoding: name, as: UTF8.self))} in `\(text)`",
                    advice: "put a literal between them or use one parameter")
            }
            pieces.append(.parameter(String(decoding: name, as: UTF8.self)))
            rest = rest[(close + 1)...]
        }
        return TextPattern(pieces: pieces)
    }

    private func refusedName(_ name: ArraySlice<UInt8>) -> RuleError {
        let shown = String(decoding: name, as: UTF8.self)
        if shown.hasSuffix("...") {
            return RuleError(
                "{\(shown)} in `\(text)` is not the whole last segment", advice: "write /{\(shown)} at the end")
        }
        return RuleError("{\(shown)} in `\(text)` is no parameter", advice: "a name has letters, digits and _")
    }

    private func restName(_ part: ArraySlice<UInt8>) -> String? {
        guard part.first == UInt8(ascii: "{"), part.count > 5, part.suffix(4).elementsEqual("...}".utf8) else {
            return nil
        }
        let name = part.dropFirst().dropLast(4)
        return isParameterName(name) ? String(decoding: name, as: UTF8.self) : nil
    }

    private func refuseRepeatedNames() throws(RuleError) {
        var seen: Set<String> = []
        for name in parameterNames where !seen.insert(name).inserted {
            throw RuleError("`\(text)` has the parameter {\(name)} twice", advice: "give each its own name")
        }
    }
}

extension TextPattern {
    /// A host up to its colon, then a port, or any.
    fileprivate init(_ host: [Piece], port: Int?) {
        guard let port else {
            self.init(pieces: host + [.parameter("port")])
            return
        }
        guard case .literal(let octets)? = host.last else {
            self.init(pieces: host)
            return
        }
        self.init(pieces: host.dropLast() + [.literal(octets + Array(String(port).utf8))])
    }
}

/// Octets above ASCII as percent escapes, the rest in the normal form of requests.
private func normalizedLiteral(_ octets: ArraySlice<UInt8>) -> Bytes {
    let digits = Array("0123456789ABCDEF".utf8)
    var escaped: Bytes = []
    escaped.reserveCapacity(octets.count)
    for octet in octets {
        if octet < 0x80 {
            escaped.append(octet)
        } else {
            escaped += [UInt8(ascii: "%"), digits[Int(octet >> 4)], digits[Int(octet & 15)]]
        }
    }
    return normalizePercent(escaped)
}

private func isParameterName(_ name: ArraySlice<UInt8>) -> Bool {
    guard let first = name.first, !isDigit(first) else { return false }
    return name.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
}

private func isLetter(_ octet: UInt8) -> Bool {
    (octet | 0x20) >= UInt8(ascii: "a") && (octet | 0x20) <= UInt8(ascii: "z")
}

private func isDigit(_ octet: UInt8) -> Bool { octet >= UInt8(ascii: "0") && octet <= UInt8(ascii: "9") }

/// RFC 9110 §5.6.2.
private func isTokenOctet(_ octet: UInt8) -> Bool {
    isLetter(octet) || isDigit(octet) || "!#$%&'*+-.^_`|~".utf8.contains(octet)
}
