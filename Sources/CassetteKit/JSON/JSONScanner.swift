/// The tokens of JSON text: white space, strings, numbers, names.
struct JSONScanner {
    static let truncated = "The file is cut short: restore it from version control or record it again"

    let buffer: UnsafeBufferPointer<UInt8>
    var at = 0
    private let comments: Bool

    init(_ buffer: UnsafeBufferPointer<UInt8>, comments: Bool) {
        self.buffer = buffer
        self.comments = comments
    }

    /// The next octet; nil at the end.
    var peek: UInt8? {
        @inline(__always) get { at < buffer.count ? buffer[at] : nil }
    }

    /// Passes white space and, where taken, comments.
    @inline(__always)
    mutating func skipSpace() throws(JSONParser.Defect) {
        while at < buffer.count {
            switch buffer[at] {
            case 0x20, 0x0A, 0x0D, 0x09: at += 1
            case UInt8(ascii: "/") where comments: try skipComment()
            default: return
            }
        }
    }

    private mutating func skipComment() throws(JSONParser.Defect) {
        let start = at
        guard at + 1 < buffer.count else { throw JSONParser.Defect(offset: at, message: "a lone slash") }
        switch buffer[at + 1] {
        case UInt8(ascii: "/"):
            while at < buffer.count, buffer[at] != UInt8(ascii: "\n") { at += 1 }
        case UInt8(ascii: "*"):
            at += 2
            while at + 1 < buffer.count {
                if buffer[at] == UInt8(ascii: "*"), buffer[at + 1] == UInt8(ascii: "/") {
                    at += 2
                    return
                }
                at += 1
            }
            throw JSONParser.Defect(offset: start, message: "a comment without an end")
        default:
            throw JSONParser.Defect(offset: at, message: "a lone slash")
        }
    }

    /// Reads a member's key and the colon behind it.
    mutating func key() throws(JSONParser.Defect) -> JSONString {
        guard peek == UInt8(ascii: "\"") else {
            throw defect(peek == UInt8(ascii: ",") ? "a comma too many" : "no key in quotation marks")
        }
        let key = try string()
        try skipSpace()
        guard peek == UInt8(ascii: ":") else { throw defect("no colon after a key") }
        at += 1
        return key
    }

    /// Reads a string, number, or one of the three names.
    mutating func scalar() throws(JSONParser.Defect) -> JSONValue {
        guard let first = peek else { throw defectAtEnd() }
        switch first {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "t") where take("true"): return .bool(true)
        case UInt8(ascii: "f") where take("false"): return .bool(false)
        case UInt8(ascii: "n") where take("null"): return .null
        case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","): throw defect("no value where one must stand")
        default: throw defect("no JSON value")
        }
    }

    private mutating func take(_ name: StaticString) -> Bool {
        let count = name.utf8CodeUnitCount
        guard at + count <= buffer.count else { return false }
        for index in 0..<count where buffer[at + index] != name.utf8Start[index] { return false }
        at += count
        return true
    }

    private mutating func string() throws(JSONParser.Defect) -> JSONString {
        at += 1
        let start = at
        while at < buffer.count {
            let octet = buffer[at]
            if octet == UInt8(ascii: "\"") {
                let raw = UnsafeBufferPointer(rebasing: buffer[start..<at])
                at += 1
                return JSONString(checkedSpelling: String(decoding: raw, as: UTF8.self))
            }
            if octet == UInt8(ascii: "\\") {
                try escape()
            } else if octet < 0x20 {
                throw JSONParser.Defect(
                    offset: at, message: "a control character within a string",
                    advice: octet == 0x0A || octet == 0x0D
                        ? "Write a line end as \\n and close the string" : "Write it as an escape")
            } else {
                at += 1
            }
        }
        throw JSONParser.Defect(offset: start - 1, message: "a string without an end", advice: Self.truncated)
    }

    private mutating func escape() throws(JSONParser.Defect) {
        guard at + 1 < buffer.count else { throw defectAtEnd() }
        switch buffer[at + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            at += 2
        case UInt8(ascii: "u"):
            guard at + 5 < buffer.count else { throw defectAtEnd() }
            guard buffer[at + 2..<at + 6].allSatisfy({ hexDigit($0) != nil }) else {
                throw defect("no four hexadecimal digits after \\u")
            }
            at += 6
        default:
            throw defect("an escape that JSON does not know")
        }
    }

    private mutating func number() throws(JSONParser.Defect) -> String {
        let start = at
        if peek == UInt8(ascii: "-") { at += 1 }
        let firstDigit = at
        try digits()
        if at - firstDigit > 1, buffer[firstDigit] == UInt8(ascii: "0") {
            throw JSONParser.Defect(offset: firstDigit, message: "a number with a leading zero")
        }
        if peek == UInt8(ascii: ".") {
            at += 1
            try digits()
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            at += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { at += 1 }
            try digits()
        }
        return String(decoding: UnsafeBufferPointer(rebasing: buffer[start..<at]), as: UTF8.self)
    }

    /// Passes one digit or more.
    private mutating func digits() throws(JSONParser.Defect) {
        let start = at
        while at < buffer.count, buffer[at] >= UInt8(ascii: "0"), buffer[at] <= UInt8(ascii: "9") { at += 1 }
        if at == start { throw defect("a number without a digit where one must stand") }
    }

    private func defect(_ message: String) -> JSONParser.Defect {
        at >= buffer.count ? defectAtEnd() : JSONParser.Defect(offset: at, message: message)
    }

    private func defectAtEnd() -> JSONParser.Defect {
        JSONParser.Defect(
            offset: buffer.count, message: buffer.isEmpty ? "no text at all" : "the end within a value",
            advice: Self.truncated)
    }
}
