/// Reads one response head from its lines, the status line first, each with or without its CR LF; an empty line may
/// stand at the end. Strict as for requests: no white space before a colon, no fold, no bare CR or LF. A status line
/// that ends right behind the code is taken, since many servers leave the space out. Throws 502, or 431 with the
/// limit's name where there is more than `limits` allows.
package func parseResponseHead(
    lines: [Bytes], limits: HeadLimits = .response
) throws(ParseError) -> ResponseHead {
    guard let first = lines.first else {
        throw ParseError.malformed("status-line", "the response has no status line", at: 0).fromUpstream
    }
    do throws(ParseError) {
        var head = try parseStatusLine(first)
        var offset = first.count
        for (index, line) in lines.enumerated().dropFirst() {
            let isEnd = line.isEmpty || line == [Octet.carriageReturn, Octet.lineFeed]
            if isEnd, index == lines.count - 1 { break }
            guard head.fields.count < limits.fields else { throw ParseError.tooManyFields(limits, at: offset) }
            guard offset + line.count - first.count <= limits.head else {
                throw ParseError.fieldsTooLarge(limits, at: offset)
            }
            do throws(ParseError) { try parseFieldLine(line[...], into: &head.fields) } catch {
                throw error.moved(by: offset)
            }
            offset += line.count
        }
        return head
    } catch {
        throw error.status == 431 ? error : error.fromUpstream
    }
}

/// Reads `HTTP/1.1 200 OK` (RFC 9112 §4).
private func parseStatusLine(_ line: Bytes) throws(ParseError) -> ResponseHead {
    try line.withUnsafeBufferPointer { (octets) throws(ParseError) -> ResponseHead in
        let end = endWithoutLineEnd(octets)
        guard end >= 12, octets[8] == Octet.space else {
            throw .malformed("status-line", "the status line is not VERSION SP CODE SP REASON", at: 0)
        }
        let version = try HTTPVersion.parse(octets, 0..<8)
        var status = 0
        for index in 9..<12 {
            guard octets[index].isDigit else {
                throw .malformed("status-code", "the status code is not three digits", at: index)
            }
            status = status * 10 + Int(octets[index] - 0x30)
        }
        guard status >= 100, end == 12 || octets[12] == Octet.space else {
            throw .malformed("status-code", "the status code is not a number from 100 to 999", at: 9)
        }
        let reason = min(13, end)..<end
        for index in reason where !octets[index].isFieldContent {
            throw .malformed("reason", "the reason phrase holds a control character", at: index)
        }
        return ResponseHead(version: version, status: status, reason: Bytes(octets[reason]))
    }
}
