import HTTPCore

/// Field lines as the format writes them: strings `Name: value` in wire order, `{"base64": …}` where one is not UTF-8.
enum FieldsFormat {
    static func write(_ fields: Fields) -> JSONValue {
        .array((0..<fields.count).map { Shape.value(fields.line(at: $0)) })
    }

    static func read(_ value: JSONValue) throws(ShapeProblem) -> Fields {
        guard case .array(let lines) = value else { throw Shape.wrong(value, "an array of lines \"Name: value\"") }
        var fields = Fields()
        for (index, line) in lines.enumerated() {
            do throws(ShapeProblem) {
                try add(line, to: &fields)
            } catch {
                throw error.within(.index(index))
            }
        }
        return fields
    }

    private static func add(_ line: JSONValue, to fields: inout Fields) throws(ShapeProblem) {
        let octets = try Shape.octets(line)
        do throws(ParseError) {
            try parseFieldLine(octets[...], into: &fields)
        } catch {
            throw ShapeProblem(message: error.message, advice: "A header is written \"Name: value\"")
        }
    }
}
