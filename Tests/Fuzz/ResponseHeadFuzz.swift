package import HTTPCore

/// Cuts the input behind every line feed and parses the lines as a response head. A head that was taken must be read
/// alike after it was written, and its framing and its fields must keep their rules.
package func fuzzResponseHead(_ input: Bytes) {
    guard let head = try? parseResponseHead(lines: lines(of: input)) else { return }
    precondition((100...999).contains(head.status))
    let written = Serializer.responseHead(head)
    let again = try? parseResponseHead(lines: lines(of: written))
    precondition(again == head, "a written head is read otherwise")
    precondition(lines(of: written).count == head.fields.count + 2, "a field makes more than one line")
    precondition((try? responseFraming(head, requestMethod: "HEAD")) == BodyFraming.none)
    if let framing = try? responseFraming(head, requestMethod: "GET"), case .length(let length) = framing {
        precondition(length >= 0 && !head.fields.contains("Transfer-Encoding"))
    }
    checkFields(head.fields)
}

private func checkFields(_ fields: Fields) {
    let kept = removeHopByHop(fields, keepTE: false)
    precondition(kept.count <= fields.count && !kept.contains("Connection") && !kept.contains("Transfer-Encoding"))
    precondition(removeHopByHop(kept, keepTE: false) == kept, "dropping twice differs from once")
    var rebuilt = Fields()
    for index in 0..<fields.count {
        rebuilt.append(name: fields.name(at: index), value: fields.value(at: index))
    }
    precondition(rebuilt == fields && rebuilt.hashValue == fields.hashValue, "fields change when they are copied")
    var changed = fields
    changed.set("content-length", "5\r\nX: 1")
    precondition(changed.all("Content-Length").map { Bytes($0) } == [Bytes("5  X: 1".utf8)])
    changed.remove("CONTENT-LENGTH")
    precondition(!changed.contains("Content-Length"))
}

private func lines(of octets: Bytes) -> [Bytes] {
    var lines: [Bytes] = []
    var start = 0
    for (index, octet) in octets.enumerated() where octet == UInt8(ascii: "\n") {
        lines.append(Bytes(octets[start...index]))
        start = index + 1
    }
    if start < octets.count { lines.append(Bytes(octets[start...])) }
    return lines
}
