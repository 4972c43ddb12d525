/// Reads request heads from a growing buffer (RFC 9112 §2, §3, §5).
package struct RequestHeadParser: Sendable {
    private let limits: HeadLimits
    private var scanner = HeadScanner()

    package init(limits: HeadLimits) {
        self.limits = limits
    }

    /// Reads the head that begins at `buffer[from]`; only octets before `to` count. Gives nil while the head is not
    /// whole: call again with the same `from` and more octets. `consumed` counts from `from` and includes empty lines
    /// before the request line (RFC 9112 §2.2). After a head or an error the parser is ready for the next one. Throws
    /// 400, 414, 431, 501 or 505; offsets count from `from`.
    package mutating func parse(
        _ buffer: Bytes, from: Int, to: Int
    ) throws(ParseError) -> (head: RequestHead, consumed: Int)? {
        precondition(0 <= from && from <= to && to <= buffer.count, "a parse of \(from)..<\(to) of \(buffer.count)")
        let result: (RequestHead, Int)?
        do throws(ParseError) {
            result = try buffer.withUnsafeBufferPointer { (whole) throws(ParseError) -> (RequestHead, Int)? in
                let octets = UnsafeBufferPointer(rebasing: whole[from..<to])
                guard let end = try scanner.findEnd(octets, limits) else { return nil }
                return (try Self.parseHead(octets, scanner, end: end - 2, limits), end)
            }
        } catch {
            scanner = HeadScanner()
            throw error
        }
        guard let result else { return nil }
        scanner = HeadScanner()
        return (head: result.0, consumed: result.1)
    }

    /// Reads a whole head; `end` is where the last field line's CR LF ends.
    private static func parseHead(
        _ octets: UnsafeBufferPointer<UInt8>, _ scanner: HeadScanner, end: Int, _ limits: HeadLimits
    ) throws(ParseError) -> RequestHead {
        let lineEnd = scanner.fieldsStart - 2
        var methodEnd = scanner.start
        while methodEnd < lineEnd, OctetSet.token.contains(octets[methodEnd]) { methodEnd += 1 }
        guard methodEnd < lineEnd, octets[methodEnd] == Octet.space else {
            throw .malformed("request-line", "the request line is not METHOD SP TARGET SP VERSION", at: methodEnd)
        }
        guard methodEnd - scanner.start <= limits.method else {
            throw ParseError(
                status: 501, label: "method-too-long", message: "the method has more than \(limits.method) octets",
                offset: scanner.start)
        }
        let targetStart = methodEnd + 1
        let targetEnd = try Self.targetEnd(octets, from: targetStart, lineEnd: lineEnd)
        guard targetEnd - targetStart <= limits.target else {
            throw .targetTooLong(limits, at: targetStart)
        }
        let version = try HTTPVersion.parse(octets, (targetEnd + 1)..<lineEnd)
        return RequestHead(
            method: String(decoding: octets[scanner.start..<methodEnd], as: UTF8.self),
            target: Bytes(octets[targetStart..<targetEnd]), version: version,
            fields: try parseFields(octets, scanner.fieldsStart..<end, count: scanner.fieldLines))
    }

    /// The index of the one space behind the target.
    private static func targetEnd(
        _ octets: UnsafeBufferPointer<UInt8>, from start: Int, lineEnd: Int
    ) throws(ParseError) -> Int {
        var index = start
        while index < lineEnd, octets[index] > Octet.space, octets[index] != Octet.delete { index += 1 }
        guard index > start, index < lineEnd else {
            throw .malformed("request-line", "the request line is not METHOD SP TARGET SP VERSION", at: index)
        }
        guard octets[index] == Octet.space else {
            throw .malformed("target", "the request target holds a control character", at: index)
        }
        return index
    }

    private static func parseFields(
        _ octets: UnsafeBufferPointer<UInt8>, _ section: Range<Int>, count: Int
    ) throws(ParseError) -> Fields {
        let base = section.lowerBound
        let lines = UnsafeBufferPointer(rebasing: octets[section])
        var entries: [Fields.Entry] = []
        entries.reserveCapacity(count)
        var index = 0
        do throws(ParseError) {
            while index < lines.count {
                let (entry, stop) = try FieldLine.parse(lines, from: index, to: lines.count)
                guard stop + 1 < lines.count, lines[stop] == Octet.carriageReturn, lines[stop + 1] == Octet.lineFeed
                else { throw FieldLine.valueError(lines, at: min(stop, lines.count - 1)) }
                entries.append(entry)
                index = stop + 2
            }
        } catch { throw error.moved(by: base) }
        return Fields(octets: Bytes(lines), entries: entries)
    }
}
