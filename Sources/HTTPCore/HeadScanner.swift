/// Finds the end of a request head and remembers how far it looked, so that a head that comes octet by octet costs no
/// more than one that comes whole. It counts lines and octets, and refuses bare line feeds on sight.
struct HeadScanner: Sendable {
    /// Where the request line begins, after skipped empty lines.
    private(set) var start = 0
    /// Where the first field line begins.
    private(set) var fieldsStart = 0
    private(set) var fieldLines = 0
    private var lineStart = 0
    private var looked = 0
    private var emptyLines = 0
    private var hasStartLine = false

    /// Gives the index behind the empty line that ends the head, or nil if it is not there yet. Throws 400, 414 or 431.
    mutating func findEnd(
        _ octets: UnsafeBufferPointer<UInt8>, _ limits: HeadLimits
    ) throws(ParseError) -> Int? {
        while let lineFeed = Scan.lineFeed(octets, from: looked) {
            guard lineFeed > lineStart, octets[lineFeed - 1] == Octet.carriageReturn else {
                throw .malformed("bare-lf", "a line ends with a line feed alone", at: lineFeed)
            }
            let isEmpty = lineFeed - lineStart == 1
            looked = lineFeed + 1
            lineStart = looked
            if hasStartLine {
                try checkFields(octetCount: looked - fieldsStart, limits)
                if isEmpty { return looked }
                fieldLines += 1
                try checkFields(octetCount: looked - fieldsStart, limits)
            } else if isEmpty {
                try skipEmptyLine(limits)
            } else {
                try checkStart(octets, limits, lineEnd: lineFeed - 1, isWhole: true)
                hasStartLine = true
                fieldsStart = looked
            }
        }
        looked = octets.count
        if hasStartLine {
            try checkFields(octetCount: looked - fieldsStart, limits)
        } else if looked > start {
            try checkStart(octets, limits, lineEnd: looked, isWhole: false)
        }
        return nil
    }

    private mutating func skipEmptyLine(_ limits: HeadLimits) throws(ParseError) {
        emptyLines += 1
        start = looked
        guard emptyLines <= limits.emptyLines else {
            throw .malformed(
                "empty-lines", "more than \(limits.emptyLines) empty lines stand before the request line", at: looked)
        }
    }

    /// Checks the length of what is there of the request line, and that it can be one at all: a TLS client at a plain
    /// port should hear so at once.
    private func checkStart(
        _ octets: UnsafeBufferPointer<UInt8>, _ limits: HeadLimits, lineEnd: Int, isWhole: Bool
    ) throws(ParseError) {
        let first = octets[start]
        let mayBeEmptyLine = !isWhole && first == Octet.carriageReturn && lineEnd == start + 1
        guard OctetSet.token.contains(first) || mayBeEmptyLine else {
            throw .malformed("method", "a request line begins with an octet that no method has", at: start)
        }
        // Two spaces and the version stand around method and target; a line that is not whole may hold its CR.
        let allowed = limits.method + limits.target + (isWhole ? 10 : 11)
        guard lineEnd - start <= allowed else {
            throw .targetTooLong(limits, at: start)
        }
    }

    private func checkFields(octetCount: Int, _ limits: HeadLimits) throws(ParseError) {
        guard fieldLines <= limits.fields else {
            throw .tooManyFields(limits, at: looked)
        }
        // The empty line that ends the head is no field line.
        guard octetCount <= limits.head + 2 else {
            throw .fieldsTooLarge(limits, at: looked)
        }
    }
}

extension ParseError {
    static func targetTooLong(_ limits: HeadLimits, at offset: Int) -> ParseError {
        ParseError(
            status: 414, label: "target-too-long",
            message: "the request target has more than \(limits.target) octets", offset: offset)
    }

    static func tooManyFields(_ limits: HeadLimits, at offset: Int) -> ParseError {
        ParseError(
            status: 431, label: "too-many-fields", message: "there are more than \(limits.fields) field lines",
            offset: offset)
    }

    static func fieldsTooLarge(_ limits: HeadLimits, at offset: Int) -> ParseError {
        ParseError(
            status: 431, label: "fields-too-large",
            message: "the field lines have more than \(limits.head) octets", offset: offset)
    }
}
