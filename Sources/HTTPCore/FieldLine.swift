/// Reads field lines (RFC 9112 §5). Strict: nothing is repaired, because two readers that repair differently can be
/// made to disagree about where a message ends.
enum FieldLine {
    /// Reads the line that starts at `start` and gives its parts and the index at which its value stopped: the first
    /// control character but HTAB, or `end`. The caller checks what stands there.
    @inline(__always)
    static func parse(
        _ octets: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
    ) throws(ParseError) -> (entry: Fields.Entry, stop: Int) {
        var colon = start
        while colon < end, OctetSet.token.contains(octets[colon]) { colon += 1 }
        guard colon > start, colon < end, octets[colon] == Octet.colon else {
            throw nameError(octets, start, colon, end)
        }
        var stop = Scan.control(octets, from: colon + 1, to: end)
        while stop < end, octets[stop] == Octet.tab { stop = Scan.control(octets, from: stop + 1, to: end) }
        return (Fields.Entry(name: start..<colon, value: trimmed(octets, (colon + 1)..<stop)), stop)
    }

    /// The error for a control character within a value.
    static func valueError(_ octets: UnsafeBufferPointer<UInt8>, at index: Int) -> ParseError {
        switch octets[index] {
        case Octet.carriageReturn:
            .malformed("bare-cr", "a carriage return in a field value is not followed by a line feed", at: index)
        case Octet.lineFeed:
            .malformed("bare-lf", "a line ends with a line feed alone", at: index)
        case 0:
            .malformed("nul", "a field value holds a NUL", at: index)
        default:
            .malformed("field-value", "a field value holds a control character", at: index)
        }
    }

    private static func nameError(
        _ octets: UnsafeBufferPointer<UInt8>, _ start: Int, _ stop: Int, _ end: Int
    ) -> ParseError {
        guard stop < end else {
            return .malformed("no-colon", "a field line has no colon", at: start)
        }
        if stop == start, octets[stop].isBlank {
            return .malformed("obs-fold", "a field line begins with white space (a folded line)", at: start)
        }
        if stop == start, octets[stop] == Octet.colon {
            return .malformed("field-name", "a field line has no name", at: start)
        }
        if octets[stop].isBlank {
            return .malformed("space-in-name", "white space stands before the colon of a field line", at: stop)
        }
        if octets[stop] == Octet.carriageReturn || octets[stop] == Octet.lineFeed {
            return .malformed("no-colon", "a field line has no colon", at: start)
        }
        return .malformed("field-name", "a field name holds an octet that no name may have", at: stop)
    }
}

/// Reads one field line and adds it to `fields`. The line may end with CR LF or with nothing; any other line end, a
/// fold, white space before the colon, and control characters in the value are refused with 400 (RFC 9112 §5).
package func parseFieldLine(_ line: ArraySlice<UInt8>, into fields: inout Fields) throws(ParseError) {
    let entry = try line.withUnsafeBufferPointer { (octets) throws(ParseError) -> Fields.Entry in
        let end = endWithoutLineEnd(octets)
        let (entry, stop) = try FieldLine.parse(octets, from: 0, to: end)
        guard stop == end else { throw FieldLine.valueError(octets, at: stop) }
        return entry
    }
    let base = fields.octets.count
    fields.octets += line
    fields.entries.append(
        Fields.Entry(
            name: (entry.name.lowerBound + base)..<(entry.name.upperBound + base),
            value: (entry.value.lowerBound + base)..<(entry.value.upperBound + base)))
}

/// The number of octets before a CR LF at the end.
func endWithoutLineEnd(_ octets: UnsafeBufferPointer<UInt8>) -> Int {
    let count = octets.count
    let hasLineEnd =
        count >= 2 && octets[count - 2] == Octet.carriageReturn && octets[count - 1] == Octet.lineFeed
    return hasLineEnd ? count - 2 : count
}
