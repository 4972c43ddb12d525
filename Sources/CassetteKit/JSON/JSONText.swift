/// JSON text in octets: reading it to values that keep their spelling, and writing them.
package struct JSONText {
    /// What the reader takes besides RFC 8259.
    package struct Options: Sendable {
        /// Comments (`//` to the end of the line, `/* */`) count as white space.
        package var comments: Bool
        /// One comma may stand before a closing bracket.
        package var trailingCommas: Bool

        /// RFC 8259 and nothing else.
        package static let strict = Options(comments: false, trailingCommas: false)
        /// For configuration written by people.
        package static let relaxed = Options(comments: true, trailingCommas: true)
    }

    /// How deep arrays and objects may lie within each other.
    package static let defaultDepth = 512

    /// Reads one JSON text, whole: valid UTF-8 without a byte order mark.
    ///
    /// - Throws: `FormatError` with line, column and JSON path of the first defect.
    package static func parse(
        _ octets: [UInt8], options: Options = .strict, maxDepth: Int = defaultDepth
    ) throws(FormatError) -> JSONValue {
        let outcome = octets.withUnsafeBufferPointer { buffer in
            var parser = JSONParser(buffer, options: options, maxDepth: maxDepth)
            do throws(JSONParser.Defect) {
                return Result<JSONValue, FormatError>.success(try parser.document())
            } catch {
                return .failure(parser.report(error))
            }
        }
        return try outcome.get()
    }

    /// Line and column (octets), both from 1, at which the value at a path begins; nil if it is not there. Of repeated
    /// keys the first counts.
    package static func position(
        of path: JSONPath, in octets: [UInt8], options: Options = .strict
    ) -> (line: Int, column: Int)? {
        octets.withUnsafeBufferPointer { buffer in
            var parser = JSONParser(buffer, options: options, maxDepth: defaultDepth)
            parser.sought = path
            _ = try? parser.document()
            return parser.found.map { JSONParser.place($0, in: buffer) }
        }
    }

    /// Writes a value with a layout; strings and numbers as spelled.
    package static func write(_ value: JSONValue, layout: JSONLayout) -> [UInt8] {
        var writer = JSONWriter(sink: [UInt8](), layout: layout)
        writer.document(value)
        return writer.sink
    }
}
