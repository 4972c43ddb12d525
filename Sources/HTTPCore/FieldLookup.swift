/// Finding lines by name. Names are compared without regard to ASCII case (RFC 9110 §5.1).
extension Fields {
    package func firstIndex(of name: StaticString) -> Int? {
        firstIndex(of: name, from: 0)
    }

    package func isName(_ name: StaticString, at index: Int) -> Bool {
        name.withUTF8Buffer { wanted in
            octets.withUnsafeBufferPointer {
                equalIgnoringCase(UnsafeBufferPointer(rebasing: $0[entries[index].name]), wanted)
            }
        }
    }

    /// The value of the first line with this name.
    package func first(_ name: StaticString) -> ArraySlice<UInt8>? {
        firstIndex(of: name).map { value(at: $0) }
    }

    /// The value of the first line with this name as text; octets that are not UTF-8 come out as U+FFFD.
    package func text(_ name: StaticString) -> String? {
        first(name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The values of all lines with this name, in order.
    package func all(_ name: StaticString) -> [ArraySlice<UInt8>] {
        var values: [ArraySlice<UInt8>] = []
        var next = firstIndex(of: name, from: 0)
        while let index = next {
            values.append(value(at: index))
            next = firstIndex(of: name, from: index + 1)
        }
        return values
    }

    package func contains(_ name: StaticString) -> Bool {
        firstIndex(of: name) != nil
    }

    /// Whether a line with this name has `token` as a member of its comma-separated list, in any case.
    package func hasToken(_ name: StaticString, _ token: StaticString) -> Bool {
        var next = firstIndex(of: name, from: 0)
        while let index = next {
            let found = token.withUTF8Buffer { wanted in
                octets.withUnsafeBufferPointer { all in
                    var found = false
                    forEachListMember(all, entries[index].value) { member in
                        found = found || equalIgnoringCase(UnsafeBufferPointer(rebasing: all[member]), wanted)
                    }
                    return found
                }
            }
            if found { return true }
            next = firstIndex(of: name, from: index + 1)
        }
        return false
    }

    /// Drops every line with this name.
    package mutating func remove(_ name: StaticString) {
        guard let first = firstIndex(of: name) else { return }
        var kept = Array(entries[..<first])
        for index in (first + 1)..<entries.count where !isName(name, at: index) { kept.append(entries[index]) }
        entries = kept
    }

    func firstIndex(of name: StaticString, from start: Int) -> Int? {
        name.withUTF8Buffer { wanted in
            octets.withUnsafeBufferPointer { all in
                var index = start
                while index < entries.count {
                    let range = entries[index].name
                    if range.count == wanted.count,
                        equalIgnoringCase(UnsafeBufferPointer(rebasing: all[range]), wanted)
                    {
                        return index
                    }
                    index += 1
                }
                return nil
            }
        }
    }
}

/// Calls `body` with the range of each member of a comma-separated list, blanks around it dropped; an empty member too
/// (RFC 9110 §5.6.1).
@inline(__always)
func forEachListMember(
    _ octets: UnsafeBufferPointer<UInt8>, _ list: Range<Int>, _ body: (Range<Int>) -> Void
) {
    var start = list.lowerBound
    for index in list where octets[index] == Octet.comma {
        body(trimmed(octets, start..<index))
        start = index + 1
    }
    body(trimmed(octets, start..<list.upperBound))
}
