package import HTTPCore

/// Reads the input as a target under three methods, as an authority, a query, escapes and a media type. What is taken
/// must give its octets back, and normalizing must change neither meaning nor, the second time, anything.
package func fuzzTargetAndQuery(_ input: Bytes) {
    for method in ["GET", "OPTIONS", "CONNECT"] {
        guard let target = try? RequestTarget.parse(input, method: method) else { continue }
        checkTarget(target, input, method)
    }
    if let authority = try? Authority.parse(input) {
        precondition((try? Authority.parse(authority.text.utf8)) == authority, "a written authority is read otherwise")
    }
    precondition(joinQuery(splitQuery(input)) == input, "a query does not come back from its items")
    let normal = normalizePercent(input)
    precondition(normalizePercent(normal) == normal, "normalizing twice differs from once")
    for plusIsSpace in [true, false] {
        let decoded = percentDecode(input, plusIsSpace: plusIsSpace)
        precondition(decoded.count <= input.count)
        precondition(percentDecode(normal, plusIsSpace: plusIsSpace) == decoded, "normalizing changed the meaning")
    }
    if let type = MediaType.parse(input) {
        let again = MediaType.parse("\(type.type)/\(type.subtype)")
        precondition(again?.type == type.type && again?.subtype == type.subtype, "a written type is read otherwise")
    }
}

private func checkTarget(_ target: RequestTarget, _ input: Bytes, _ method: String) {
    precondition(!input.contains { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "#") }, "a refused octet was taken")
    switch target {
    case .origin(let path, let query):
        precondition(path.first == UInt8(ascii: "/") && method != "CONNECT")
        precondition(path + suffix(query) == input, "a target does not come back from its parts")
    case .absolute(let scheme, let authority, let path, let query):
        precondition(method != "CONNECT" && !authority.host.isEmpty)
        let written = Bytes("\(scheme)://\(authority.text)".utf8) + path + suffix(query)
        precondition(
            (try? RequestTarget.parse(written, method: method)) == target, "a written target is read otherwise")
    case .authority(let authority):
        precondition(method == "CONNECT" && authority.port != nil)
    case .asterisk:
        precondition(method == "OPTIONS" && input == [UInt8(ascii: "*")])
    }
}

private func suffix(_ query: Bytes?) -> Bytes {
    query.map { [UInt8(ascii: "?")] + $0 } ?? []
}
