/// A scenario's entry or a fault of the command line that no exchange met, though it was active.
package struct UnmetEntry: Sendable, Hashable, Comparable, CustomStringConvertible {
    package enum Source: Sendable, Hashable {
        case scenario(String, entry: String)
        case fault(String)
    }

    package var source: Source

    package init(_ source: Source) {
        self.source = source
    }

    package var description: String {
        switch source {
        case .scenario(let name, let entry): "scenario `\(name)`: `\(entry)` met no exchange"
        case .fault(let text): "--fault '\(text)' met no exchange"
        }
    }

    package static func < (a: UnmetEntry, b: UnmetEntry) -> Bool { a.description < b.description }
}
