/// A JSON value that keeps its spelling (RFC 8259): numbers and string escapes as written, members in order, repeats kept.
///
/// Equality is equality of spelling; white space is no part of a value.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    /// The number as spelled, for example `12.50` or `1E5`; ASCII, checked against the grammar by the parser.
    case number(String)
    case string(JSONString)
    case array([JSONValue])
    case object([JSONMember])

    /// Spells a string with the fewest escapes.
    package static func text(_ text: String) -> JSONValue { .string(JSONString(text)) }

    /// Spells an integer.
    package static func integer(_ value: Int) -> JSONValue { .number(String(value)) }

    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }
}

/// One member of a JSON object.
package struct JSONMember: Sendable, Equatable {
    package var key: JSONString
    package var value: JSONValue

    package init(key: JSONString, value: JSONValue) {
        self.key = key
        self.value = value
    }

    package init(_ key: String, _ value: JSONValue) {
        self.init(key: JSONString(key), value: value)
    }
}

extension JSONValue {
    /// The members of an object; nil for every other kind.
    package var members: [JSONMember]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The elements of an array; nil for every other kind.
    package var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The decoded text of a string; nil for every other kind.
    package var text: String? {
        if case .string(let string) = self { string.text } else { nil }
    }

    /// The value of a number spelled as a plain integer that fits; nil for every other number and kind.
    package var integer: Int? {
        if case .number(let spelling) = self { Int(spelling) } else { nil }
    }

    /// The value of a boolean; nil for every other kind.
    package var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The first member with this key; nil where there is none or this is no object.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key.isText(key) }?.value
    }

    /// The kind of the value in words for messages: "a string", "an object".
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
