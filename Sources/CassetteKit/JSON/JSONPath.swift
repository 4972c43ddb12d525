/// A place in a JSON document, written like `$.response.headers[2]`.
package struct JSONPath: Sendable, Hashable, CustomStringConvertible {
    package enum Component: Sendable, Hashable {
        case key(String)
        case index(Int)
    }

    package var components: [Component]

    package init(_ components: [Component] = []) {
        self.components = components
    }

    package func key(_ key: String) -> JSONPath { JSONPath(components + [.key(key)]) }
    package func index(_ index: Int) -> JSONPath { JSONPath(components + [.index(index)]) }

    package var description: String {
        components.reduce(into: "$") { text, component in
            switch component {
            case .index(let index): text += "[\(index)]"
            case .key(let key): text += Self.isPlain(key) ? ".\(key)" : "[\"\(JSONSpelling.spell(key))\"]"
            }
        }
    }

    private static func isPlain(_ key: String) -> Bool {
        !key.isEmpty
            && key.utf8.allSatisfy { octet in
                switch octet {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
