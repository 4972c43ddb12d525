/// Reads a chunk's size and extensions octet by octet (RFC 9112 §7.1, §7.1.1). Extensions are checked and ignored.
/// White space stands only where the grammar has it; the line ends with CR LF.
struct ChunkLine: Sendable {
    private enum Place: UInt8 {
        case start, size, beforeSemicolon, beforeName, name, afterName, beforeValue, token, quoted, escaped, afterValue
        case lineFeed
    }

    /// The size read so far.
    private(set) var size = 0
    private var place = Place.start
    private var octetCount = 0

    /// Takes one octet; true when it ended the line. Throws 400; the offset is within the line.
    mutating func take(_ octet: UInt8, limit: Int) throws(ParseError) -> Bool {
        octetCount += 1
        guard octetCount <= limit + 2 else {
            throw .malformed(
                "chunk-line-too-long", "a chunk's size and extensions have more than \(limit) octets", at: 0)
        }
        switch place {
        case .lineFeed:
            guard octet == Octet.lineFeed else { throw lineEndError }
            return true
        case .start, .size:
            try takeSize(octet)
        case .quoted, .escaped:
            try takeQuoted(octet)
        default:
            try takeExtension(octet)
        }
        return false
    }

    private mutating func takeSize(_ octet: UInt8) throws(ParseError) {
        if let digit = octet.hexValue {
            guard size <= Int.max >> 4 else {
                throw .malformed("chunk-size-overflow", "a chunk's size can't be counted to", at: octetCount - 1)
            }
            size = size << 4 | Int(digit)
            place = .size
            return
        }
        guard place == .size else {
            throw .malformed("chunk-size", "a chunk does not begin with a hexadecimal digit", at: octetCount - 1)
        }
        switch octet {
        case Octet.carriageReturn: place = .lineFeed
        case Octet.semicolon: place = .beforeName
        case Octet.space, Octet.tab: place = .beforeSemicolon
        case Octet.lineFeed: throw lineEndError
        default: throw .malformed("chunk-size", "a chunk's size holds an octet that is no digit", at: octetCount - 1)
        }
    }

    private mutating func takeExtension(_ octet: UInt8) throws(ParseError) {
        let isToken = OctetSet.token.contains(octet)
        switch (place, octet) {
        case (.beforeSemicolon, _) where octet.isBlank, (.beforeName, _) where octet.isBlank,
            (.beforeValue, _) where octet.isBlank:
            break
        case (.name, _) where isToken, (.token, _) where isToken:
            break
        case (.beforeSemicolon, Octet.semicolon), (.name, Octet.semicolon), (.afterName, Octet.semicolon),
            (.token, Octet.semicolon), (.afterValue, Octet.semicolon):
            place = .beforeName
        case (.beforeName, _) where isToken:
            place = .name
        case (.name, Octet.equals), (.afterName, Octet.equals):
            place = .beforeValue
        case (.beforeValue, Octet.quote):
            place = .quoted
        case (.beforeValue, _) where isToken:
            place = .token
        case (.name, _) where octet.isBlank, (.afterName, _) where octet.isBlank:
            place = .afterName
        case (.token, _) where octet.isBlank, (.afterValue, _) where octet.isBlank:
            place = .afterValue
        case (.name, Octet.carriageReturn), (.token, Octet.carriageReturn), (.afterValue, Octet.carriageReturn):
            place = .lineFeed
        case (_, Octet.lineFeed):
            throw lineEndError
        default:
            throw extensionError
        }
    }

    private mutating func takeQuoted(_ octet: UInt8) throws(ParseError) {
        guard octet.isFieldContent else {
            throw octet == Octet.lineFeed ? lineEndError : extensionError
        }
        if place == .escaped {
            place = .quoted
        } else if octet == Octet.backslash {
            place = .escaped
        } else if octet == Octet.quote {
            place = .afterValue
        }
    }

    private var lineEndError: ParseError {
        .malformed("chunk-line-end", "a chunk's size line does not end with CR LF", at: octetCount - 1)
    }

    private var extensionError: ParseError {
        .malformed("chunk-extension", "a chunk extension is malformed", at: octetCount - 1)
    }
}
