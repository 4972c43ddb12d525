/// Lays JSON out for people who read, compare and merge it.
///
/// Two spaces a level; an array or object stands on one line if that line has at most `width` octets, else one element a
/// line. Keys in `brokenKeys` hold lists that always have one element a line, so that adding one changes no other.
struct JSONReviewWriter {
    private static let width = 100

    private let brokenKeys: Set<String>
    private var octets: [UInt8] = []
    /// Where the line that is being written begins.
    private var lineStart = 0

    /// Writes a value and a line feed. The outermost `brokenLevels` levels of objects always stand one member a line.
    static func write(_ value: JSONValue, brokenKeys: Set<String> = [], brokenLevels: Int = 1) -> [UInt8] {
        var writer = JSONReviewWriter(brokenKeys: brokenKeys)
        writer.write(value, level: 0, broken: brokenLevels)
        writer.octets.append(UInt8(ascii: "\n"))
        return writer.octets
    }

    private init(brokenKeys: Set<String>) {
        self.brokenKeys = brokenKeys
    }

    private mutating func write(_ value: JSONValue, level: Int, broken: Int) {
        switch value {
        case .array(let elements) where !elements.isEmpty && (broken > 0 || !fits(value)):
            octets.append(UInt8(ascii: "["))
            for index in elements.indices {
                startLine(first: index == 0, level: level + 1)
                write(elements[index], level: level + 1, broken: 0)
            }
            endLines(level: level)
            octets.append(UInt8(ascii: "]"))
        case .object(let members) where !members.isEmpty && (broken > 0 || !fits(value)):
            octets.append(UInt8(ascii: "{"))
            for index in members.indices {
                startLine(first: index == 0, level: level + 1)
                write(members[index], level: level + 1, broken: broken)
            }
            endLines(level: level)
            octets.append(UInt8(ascii: "}"))
        default:
            writeInline(value)
        }
    }

    private mutating func write(_ member: JSONMember, level: Int, broken: Int) {
        write(member.key)
        octets.append(contentsOf: [UInt8(ascii: ":"), UInt8(ascii: " ")])
        var inner = 0
        if broken > 0 {
            if case .object = member.value { inner = broken - 1 }
            if brokenKeys.contains(member.key.raw), case .array = member.value { inner = 1 }
        }
        write(member.value, level: level, broken: inner)
    }

    private mutating func write(_ string: JSONString) {
        octets.append(UInt8(ascii: "\""))
        octets.append(contentsOf: string.raw.utf8)
        octets.append(UInt8(ascii: "\""))
    }

    private mutating func writeInline(_ value: JSONValue) {
        var writer = JSONWriter(sink: octets, layout: JSONLayout(.spaced))
        octets = []
        writer.document(value)
        octets = writer.sink
    }

    private mutating func startLine(first: Bool, level: Int) {
        if !first { octets.append(UInt8(ascii: ",")) }
        endLines(level: level)
    }

    private mutating func endLines(level: Int) {
        octets.append(UInt8(ascii: "\n"))
        lineStart = octets.count
        for _ in 0..<2 * level { octets.append(UInt8(ascii: " ")) }
    }

    /// Whether a value fits on the line that has been begun, with a comma behind it.
    private func fits(_ value: JSONValue) -> Bool {
        let budget = Self.width - (octets.count - lineStart) - 1
        var measure = JSONWriter(sink: JSONMeasure(budget: budget), layout: JSONLayout(.spaced))
        measure.document(value)
        return !measure.sink.isDone
    }
}

/// Counts octets down to nothing.
private struct JSONMeasure: JSONSink {
    var budget: Int

    var isDone: Bool { budget < 0 }
    mutating func put(_ octet: UInt8) { budget -= 1 }
    mutating func put(contentsOf text: String) { budget -= text.utf8.count }
}
