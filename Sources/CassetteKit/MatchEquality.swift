/// Equality of JSON texts by value, as match keys have it.
package enum JSONEquality {
    /// Whether both are JSON and equal by value: key order and white space do not count, numbers count by their decimal value.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        let forms = [left, right].map { octets in
            octets.withUnsafeBufferPointer { MatchJSON.canonical($0, ignoring: []) }
        }
        return forms[0] != nil && forms[0] == forms[1]
    }
}
