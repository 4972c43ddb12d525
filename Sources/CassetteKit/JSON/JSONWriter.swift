/// Where a JSON writer puts its octets: a buffer, or a comparison with a text that exists.
protocol JSONSink {
    mutating func put(_ octet: UInt8)
    mutating func put(contentsOf text: String)
    /// True once the rest no longer matters.
    var isDone: Bool { get }
}

extension [UInt8]: JSONSink {
    mutating func put(_ octet: UInt8) { append(octet) }
    mutating func put(contentsOf text: String) { append(contentsOf: text.utf8) }
    var isDone: Bool { false }
}

/// Compares what is written with an original and stops at the first difference.
struct JSONComparison: JSONSink {
    private let original: UnsafeBufferPointer<UInt8>
    private var at = 0
    private(set) var isDone = false

    init(original: UnsafeBufferPointer<UInt8>) {
        self.original = original
    }

    /// Whether all that was written is the whole original.
    var isEqual: Bool { !isDone && at == original.count }

    mutating func put(_ octet: UInt8) {
        if at < original.count, original[at] == octet {
            at += 1
        } else {
            isDone = true
        }
    }

    mutating func put(contentsOf text: String) {
        var text = text
        let equal = text.withUTF8 { octets in
            guard at + octets.count <= original.count else { return false }
            for index in octets.indices where octets[index] != original[at + index] { return false }
            at += octets.count
            return true
        }
        if !equal { isDone = true }
    }
}

/// Writes a JSON value with one layout into a sink.
struct JSONWriter<Sink: JSONSink> {
    var sink: Sink
    private let layout: JSONLayout
    private let indentation: (octet: UInt8, count: Int)?

    init(sink: Sink, layout: JSONLayout) {
        self.sink = sink
        self.layout = layout
        self.indentation =
            switch layout.style {
            case .compact, .spaced: nil
            case .indent2, .swift2: (UInt8(ascii: " "), 2)
            case .indent4: (UInt8(ascii: " "), 4)
            case .tabs: (UInt8(ascii: "\t"), 1)
            }
    }

    mutating func document(_ value: JSONValue) {
        write(value, level: 0)
        if layout.endsWithLineFeed { sink.put(UInt8(ascii: "\n")) }
    }

    private mutating func write(_ value: JSONValue, level: Int) {
        switch value {
        case .null: sink.put(contentsOf: "null")
        case .bool(let value): sink.put(contentsOf: value ? "true" : "false")
        case .number(let spelling): sink.put(contentsOf: spelling)
        case .string(let string): write(string)
        case .array(let elements):
            sink.put(UInt8(ascii: "["))
            for index in elements.indices where !sink.isDone {
                separate(first: index == 0, level: level + 1)
                write(elements[index], level: level + 1)
            }
            close(UInt8(ascii: "]"), empty: elements.isEmpty, level: level)
        case .object(let members):
            sink.put(UInt8(ascii: "{"))
            for index in members.indices where !sink.isDone {
                separate(first: index == 0, level: level + 1)
                write(members[index].key)
                if layout.style == .swift2 { sink.put(UInt8(ascii: " ")) }
                sink.put(UInt8(ascii: ":"))
                if layout.style != .compact { sink.put(UInt8(ascii: " ")) }
                write(members[index].value, level: level + 1)
            }
            close(UInt8(ascii: "}"), empty: members.isEmpty, level: level)
        }
    }

    private mutating func write(_ string: JSONString) {
        sink.put(UInt8(ascii: "\""))
        sink.put(contentsOf: string.raw)
        sink.put(UInt8(ascii: "\""))
    }

    private mutating func separate(first: Bool, level: Int) {
        if !first {
            sink.put(UInt8(ascii: ","))
            if layout.style == .spaced { sink.put(UInt8(ascii: " ")) }
        }
        lineBreak(level)
    }

    private mutating func close(_ bracket: UInt8, empty: Bool, level: Int) {
        if !empty {
            lineBreak(level)
        } else if layout.style == .swift2 {
            sink.put(UInt8(ascii: "\n"))
            lineBreak(level)
        }
        sink.put(bracket)
    }

    private mutating func lineBreak(_ level: Int) {
        guard let indentation else { return }
        sink.put(UInt8(ascii: "\n"))
        for _ in 0..<indentation.count * level { sink.put(indentation.octet) }
    }
}
