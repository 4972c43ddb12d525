/// Reads one JSON text (RFC 8259) without recursion, so that depth costs no stack.
///
/// Complete values wait in one flat list; a closing bracket takes those of its container off the end.
struct JSONParser {
    /// A defect at an octet offset; `report` gives it its line, column and path.
    struct Defect: Error {
        var offset: Int
        var message: String
        var advice = ""
    }

    private struct Frame {
        var isObject: Bool
        var firstValue: Int
        var firstKey: Int
    }

    /// The place whose offset is to be found; nil in ordinary reading.
    var sought: JSONPath?
    /// Where the value at `sought` begins.
    private(set) var found: Int?

    private var scanner: JSONScanner
    private let trailingCommas: Bool
    private let maxDepth: Int
    private var frames: [Frame] = []
    private var values: [JSONValue] = []
    private var keys: [JSONString] = []

    init(_ buffer: UnsafeBufferPointer<UInt8>, options: JSONText.Options, maxDepth: Int) {
        self.scanner = JSONScanner(buffer, comments: options.comments)
        self.trailingCommas = options.trailingCommas
        self.maxDepth = maxDepth
    }

    /// Reads the whole text.
    mutating func document() throws(Defect) -> JSONValue {
        if let bad = firstInvalidUTF8(scanner.buffer) {
            throw Defect(offset: bad, message: "octets that are not UTF-8", advice: "Save the file as UTF-8")
        }
        if scanner.buffer.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw Defect(
                offset: 0, message: "a byte order mark", advice: "Save the file as UTF-8 without a byte order mark")
        }
        repeat {
            try scanner.skipSpace()
            if sought != nil { compareWithSought() }
            try beginValue()
        } while try !endValues()
        return values.removeLast()
    }

    /// Reads a scalar or an empty container, or enters a container; afterwards either a value is complete
    /// (`expectsValue` false) or the next value follows.
    private mutating func beginValue() throws(Defect) {
        switch scanner.peek {
        case UInt8(ascii: "{"):
            try enter(isObject: true)
        case UInt8(ascii: "["):
            try enter(isObject: false)
        default:
            values.append(try scanner.scalar())
            expectsValue = false
        }
    }

    private var expectsValue = true

    private mutating func enter(isObject: Bool) throws(Defect) {
        guard frames.count < maxDepth else {
            throw Defect(offset: scanner.at, message: "arrays and objects nested deeper than \(maxDepth)")
        }
        frames.append(Frame(isObject: isObject, firstValue: values.count, firstKey: keys.count))
        scanner.at += 1
        try scanner.skipSpace()
        if scanner.peek == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
            expectsValue = false
        } else {
            expectsValue = true
            if isObject { keys.append(try scanner.key()) }
        }
    }

    /// Closes containers as far as they end here; true at the end of the text, false where a value follows.
    private mutating func endValues() throws(Defect) -> Bool {
        while !expectsValue {
            try scanner.skipSpace()
            guard let frame = frames.last else {
                guard scanner.peek == nil else {
                    throw Defect(offset: scanner.at, message: "text after the end of the JSON value")
                }
                return true
            }
            let close = frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
            if scanner.peek == UInt8(ascii: ","), values.count > frame.firstValue {
                scanner.at += 1
                try scanner.skipSpace()
                if trailingCommas, scanner.peek == close { continue }
                if frame.isObject { keys.append(try scanner.key()) }
                expectsValue = true
            } else if scanner.peek == close {
                scanner.at += 1
                leave(frame)
            } else if scanner.peek == nil {
                throw Defect(
                    offset: scanner.at, message: "the end within \(frame.isObject ? "an object" : "an array")",
                    advice: JSONScanner.truncated)
            } else {
                let name = frame.isObject ? "object" : "array"
                throw Defect(offset: scanner.at, message: "neither a comma nor the end of the \(name)")
            }
        }
        return false
    }

    private mutating func leave(_ frame: Frame) {
        frames.removeLast()
        // No slice of the lists may live while they shrink: it would make each removal a copy of the whole list.
        let value = frame.isObject ? object(frame) : array(frame)
        keys.removeLast(keys.count - frame.firstKey)
        values.removeLast(values.count - frame.firstValue)
        values.append(value)
    }

    private func array(_ frame: Frame) -> JSONValue {
        values.withUnsafeBufferPointer { .array(Array($0[frame.firstValue...])) }
    }

    private func object(_ frame: Frame) -> JSONValue {
        let count = keys.count - frame.firstKey
        var members: [JSONMember] = []
        members.reserveCapacity(count)
        for index in 0..<count {
            members.append(
                JSONMember(key: keys[frame.firstKey + index], value: values[frame.firstValue + index]))
        }
        return .object(members)
    }

    private var path: JSONPath {
        JSONPath(
            frames.indices.compactMap { depth in
                let frame = frames[depth]
                let nextKey = depth + 1 < frames.count ? frames[depth + 1].firstKey : keys.count
                let nextValue = depth + 1 < frames.count ? frames[depth + 1].firstValue : values.count
                if frame.isObject { return nextKey > frame.firstKey ? .key(keys[nextKey - 1].text) : nil }
                return .index(nextValue - frame.firstValue)
            })
    }

    private mutating func compareWithSought() {
        if found == nil, frames.count == sought?.components.count, path == sought { found = scanner.at }
    }

    /// Gives a defect its place; where the text has the marks of a merge conflict, those are the defect.
    func report(_ defect: Defect) -> FormatError {
        if let conflict = firstConflictMark(in: scanner.buffer) {
            let place = Self.place(conflict, in: scanner.buffer)
            return FormatError(
                line: place.line, column: place.column, message: "the mark of a merge conflict",
                advice: "Resolve the conflict: keep one side, remove the marks")
        }
        let place = Self.place(defect.offset, in: scanner.buffer)
        return FormatError(
            line: place.line, column: place.column, path: path.description, message: defect.message,
            advice: defect.advice)
    }

    /// Line and column of an octet offset, both from 1.
    static func place(_ offset: Int, in buffer: UnsafeBufferPointer<UInt8>) -> (line: Int, column: Int) {
        var line = 1
        var start = 0
        for at in 0..<min(offset, buffer.count) where buffer[at] == UInt8(ascii: "\n") {
            line += 1
            start = at + 1
        }
        return (line, offset - start + 1)
    }
}

/// The offset of the first line that begins like a mark of a merge conflict, as git writes them.
private func firstConflictMark(in buffer: UnsafeBufferPointer<UInt8>) -> Int? {
    var start = 0
    while start + 7 <= buffer.count {
        let first = buffer[start]
        if first == UInt8(ascii: "<") || first == UInt8(ascii: ">") || first == UInt8(ascii: "="),
            buffer[start..<start + 7].allSatisfy({ $0 == first })
        {
            return start
        }
        guard let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        start = end + 1
    }
    return nil
}
