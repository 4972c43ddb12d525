/// Writes messages (RFC 9112 §3 to §7).
package enum Serializer {
    /// A status line, the fields and the empty line. A control character in the reason becomes SP.
    package static func responseHead(_ head: ResponseHead) -> Bytes {
        var out = Bytes()
        out.reserveCapacity(head.reason.count + size(of: head.fields) + 17)
        append(head.version.text, to: &out)
        out.append(Octet.space)
        appendStatus(head.status, to: &out)
        out.append(Octet.space)
        for octet in head.reason { out.append(octet.isFieldContent ? octet : Octet.space) }
        appendLineEnd(to: &out)
        append(head.fields, to: &out)
        appendLineEnd(to: &out)
        return out
    }

    /// A request line, the fields and the empty line. Method and target must be ones that were parsed.
    package static func requestHead(_ head: RequestHead) -> Bytes {
        var out = Bytes()
        out.reserveCapacity(head.method.utf8.count + head.target.count + size(of: head.fields) + 14)
        out += head.method.utf8
        out.append(Octet.space)
        out += head.target
        out.append(Octet.space)
        append(head.version.text, to: &out)
        appendLineEnd(to: &out)
        append(head.fields, to: &out)
        appendLineEnd(to: &out)
        return out
    }

    /// One chunk: size, CR LF, data, CR LF. Empty for no data, because an empty chunk would end the body.
    package static func chunk(_ data: Bytes) -> Bytes {
        guard !data.isEmpty else { return [] }
        var out = Bytes()
        out.reserveCapacity(data.count + 20)
        out += String(data.count, radix: 16).utf8
        appendLineEnd(to: &out)
        out += data
        appendLineEnd(to: &out)
        return out
    }

    /// The last chunk, the trailers and the empty line.
    package static func lastChunk(trailers: Fields) -> Bytes {
        var out = Bytes()
        out.reserveCapacity(size(of: trailers) + 5)
        append("0\r\n", to: &out)
        append(trailers, to: &out)
        appendLineEnd(to: &out)
        return out
    }

    private static func size(of fields: Fields) -> Int {
        fields.entries.reduce(0) { $0 + $1.name.count + $1.value.count + 4 }
    }

    private static func append(_ fields: Fields, to out: inout Bytes) {
        fields.octets.withUnsafeBufferPointer { octets in
            for entry in fields.entries {
                out.append(contentsOf: UnsafeBufferPointer(rebasing: octets[entry.name]))
                append(": ", to: &out)
                out.append(contentsOf: UnsafeBufferPointer(rebasing: octets[entry.value]))
                appendLineEnd(to: &out)
            }
        }
    }

    private static func append(_ text: StaticString, to out: inout Bytes) {
        text.withUTF8Buffer { out.append(contentsOf: $0) }
    }

    private static func appendLineEnd(to out: inout Bytes) {
        out.append(Octet.carriageReturn)
        out.append(Octet.lineFeed)
    }

    private static func appendStatus(_ status: Int, to out: inout Bytes) {
        precondition((100...999).contains(status), "a status of \(status)")
        for digit in [status / 100, status / 10 % 10, status % 10] { out.append(0x30 + UInt8(digit)) }
    }
}
