/// A media type as Content-Type gives it (RFC 9110 §8.3.1).
package struct MediaType: Sendable {
    /// Lower case.
    package var type: String
    /// Lower case, with its suffix.
    package var subtype: String
    /// Names in lower case, values without their quotes, in order.
    package var parameters: [(String, String)]

    /// Reads a media type; nil if type or subtype is no token. Malformed parameters are left out.
    package static func parse(_ value: some Collection<UInt8>) -> MediaType? {
        withOctets(value) { octets in
            let typeEnd = octets.firstIndex(of: Octet.semicolon) ?? octets.count
            let name = trimmed(octets, 0..<typeEnd)
            guard let slash = octets[name].firstIndex(of: Octet.slash),
                let type = token(octets, name.lowerBound..<slash),
                let subtype = token(octets, (slash + 1)..<name.upperBound)
            else { return nil }
            return MediaType(type: type, subtype: subtype, parameters: parameters(octets, from: typeEnd))
        }
    }

    package static func parse(_ value: String) -> MediaType? { parse(value.utf8) }

    /// The value of the first parameter with this name (in lower case).
    package func parameter(_ name: String) -> String? {
        parameters.first { $0.0 == name }?.1
    }

    /// `application/json`, `text/json` and the like, and all with the suffix `+json` (RFC 6839 §3.1).
    package var isJSON: Bool { subtype == "json" || subtype.hasSuffix("+json") }

    /// `application/x-www-form-urlencoded`.
    package var isForm: Bool { type == "application" && subtype == "x-www-form-urlencoded" }

    package var isMultipart: Bool { type == "multipart" }

    /// `application/xml`, `text/xml`, and all with the suffix `+xml` (RFC 7303).
    package var isXML: Bool {
        ((type == "application" || type == "text") && subtype == "xml") || subtype.hasSuffix("+xml")
    }

    /// A type that is read as text: `text/*`, JSON, XML, forms, scripts, GraphQL, YAML.
    package var isText: Bool {
        if type == "text" || isJSON || isXML || isForm { return true }
        let names = [
            "javascript", "x-javascript", "ecmascript", "graphql", "yaml", "x-yaml", "x-ndjson", "jsonl", "toml", "sql",
        ]
        return type == "application" && names.contains(subtype)
    }

    private static func token(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> String? {
        guard !range.isEmpty, octets[range].allSatisfy(OctetSet.token.contains) else { return nil }
        return String(decoding: octets[range].lazy.map(\.lowercased), as: UTF8.self)
    }

    /// Reads what follows the subtype; each parameter begins with a semicolon.
    private static func parameters(_ octets: UnsafeBufferPointer<UInt8>, from start: Int) -> [(String, String)] {
        var found: [(String, String)] = []
        var index = start
        while index < octets.count {
            let end = parameterEnd(octets, from: index + 1)
            let item = trimmed(octets, (index + 1)..<end)
            index = end
            guard let mark = octets[item].firstIndex(of: Octet.equals),
                let name = token(octets, item.lowerBound..<mark)
            else { continue }
            let value = (mark + 1)..<item.upperBound
            if octets[value].first == Octet.quote {
                guard let text = unquoted(octets, value) else { continue }
                found.append((name, text))
            } else if !value.isEmpty, octets[value].allSatisfy(OctetSet.token.contains) {
                found.append((name, String(decoding: octets[value], as: UTF8.self)))
            }
        }
        return found
    }

    /// The index of the next semicolon outside quotes, or the end.
    private static func parameterEnd(_ octets: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var isQuoted = false
        var index = start
        while index < octets.count {
            switch octets[index] {
            case Octet.quote: isQuoted.toggle()
            case Octet.backslash where isQuoted: index += 1
            case Octet.semicolon where !isQuoted: return index
            default: break
            }
            index += 1
        }
        return octets.count
    }

    /// The text of a quoted string that fills the range, or nil.
    private static func unquoted(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> String? {
        var text = Bytes()
        var index = range.lowerBound + 1
        while index < range.upperBound {
            var octet = octets[index]
            if octet == Octet.quote {
                return index + 1 == range.upperBound ? String(decoding: text, as: UTF8.self) : nil
            }
            if octet == Octet.backslash {
                index += 1
                guard index < range.upperBound else { return nil }
                octet = octets[index]
            }
            text.append(octet)
            index += 1
        }
        return nil
    }
}
