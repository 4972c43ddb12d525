import CassetteKit

/// A JSON pointer (RFC 6901) in which `*` stands for every element of an array or every member of an object.
package struct EditPointer: Sendable, Hashable, CustomStringConvertible {
    package enum Token: Sendable, Hashable {
        /// A member's name, or an element's index where an array stands.
        case name(String)
        /// `*`.
        case each

        /// The index that the token names in an array of so many elements, `-` being the one after the last.
        func index(in count: Int) -> Int? {
            guard case .name(let text) = self else { return nil }
            if text == "-" { return count }
            guard text == "0" || !text.hasPrefix("0"), text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
                return nil
            }
            return Int(text)
        }
    }

    package var tokens: [Token]
    /// The pointer as written.
    package var description: String

    /// Reads a pointer: empty for the whole document, else each token after a slash, `~1` for a slash and `~0` for a tilde.
    package init(_ text: String) throws(RuleError) {
        description = text
        tokens = []
        if text.isEmpty { return }
        guard text.hasPrefix("/") else {
            throw RuleError("`\(text)` is no JSON pointer", advice: "write a slash before each part, as in /items/0/id")
        }
        for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            tokens.append(part == "*" ? .each : .name(try EditPointer.unescaped(part, in: text)))
        }
    }

    private static func unescaped(_ part: Substring, in text: String) throws(RuleError) -> String {
        guard part.contains("~") else { return String(part) }
        var result = ""
        var rest = part
        while let mark = rest.firstIndex(of: "~") {
            result += rest[..<mark]
            switch rest[rest.index(after: mark)...].first {
            case "0": result += "~"
            case "1": result += "/"
            default: throw RuleError("`\(text)` has a lone ~", advice: "write ~0 for a tilde and ~1 for a slash")
            }
            rest = rest[rest.index(mark, offsetBy: 2)...]
        }
        return result + rest
    }
}

extension JSONValue {
    /// Changes each value that a pointer names.
    ///
    /// - Returns: how many values there were.
    mutating func change(at tokens: ArraySlice<EditPointer.Token>, _ edit: (inout JSONValue) -> Void) -> Int {
        guard let token = tokens.first else {
            edit(&self)
            return 1
        }
        var count = 0
        switch self {
        case .array(var elements):
            let index = token.index(in: elements.count)
            for place in elements.indices where token == .each || place == index {
                count += elements[place].change(at: tokens.dropFirst(), edit)
            }
            self = .array(elements)
        case .object(var members):
            for place in members.indices where token.names(members[place].key) {
                count += members[place].value.change(at: tokens.dropFirst(), edit)
            }
            self = .object(members)
        default: break
        }
        return count
    }
}

extension EditPointer.Token {
    /// Tells whether a member's key is the one, or one of those, that the token names.
    func names(_ key: JSONString) -> Bool {
        switch self {
        case .each: true
        case .name(let name): key.isText(name)
        }
    }
}
