/// The fields without those that concern one connection only (RFC 9110 §7.6.1): Connection and all it names,
/// Keep-Alive, Proxy-Connection, TE, Transfer-Encoding, Upgrade, Proxy-Authorization and Proxy-Authenticate. Trailer
/// stays. Host and Content-Length stay even if Connection names them: without them the message would be another one.
/// - Parameter keepTE: leaves a TE that accepts trailers as `TE: trailers`, for an upstream.
package func removeHopByHop(_ fields: Fields, keepTE: Bool) -> Fields {
    let always: [StaticString] = [
        "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Transfer-Encoding", "Upgrade", "Proxy-Authorization",
        "Proxy-Authenticate",
    ]
    let named = connectionOptions(fields)
    let acceptsTrailers = keepTE && fields.hasToken("TE", "trailers")
    let keptTE = acceptsTrailers ? fields.firstIndex(of: "TE") : nil
    var kept: [Fields.Entry] = []
    kept.reserveCapacity(fields.count)
    var placeOfTE: Int?
    for index in 0..<fields.count {
        if index == keptTE {
            placeOfTE = kept.count
        } else if always.contains(where: { fields.isName($0, at: index) })
            || (!named.isEmpty && named.contains(fields.name(at: index).map(\.lowercased)))
        {
            continue
        }
        kept.append(fields.entries[index])
    }
    var result = Fields(octets: fields.octets, entries: kept)
    if let placeOfTE { result.replaceValue(at: placeOfTE, with: "trailers".utf8) }
    return result
}

/// The names that Connection lists, in lower case, without the two that are never dropped.
private func connectionOptions(_ fields: Fields) -> Set<Bytes> {
    guard fields.contains("Connection") else { return [] }
    var names: Set<Bytes> = []
    for value in fields.all("Connection") {
        value.withUnsafeBufferPointer { octets in
            forEachListMember(octets, 0..<octets.count) { names.insert(octets[$0].map(\.lowercased)) }
        }
    }
    for name in ["", "close", "keep-alive", "host", "content-length"] { names.remove(Bytes(name.utf8)) }
    return names
}
