package import CassetteKit
package import HTTPCore

/// A number of seconds by which all times of recorded answers are moved, so that what was between them stays between them.
package struct ClockShift: Sendable, Equatable {
    package var seconds: Int64

    package init(seconds: Int64) { self.seconds = seconds }

    /// A time within the first day of 1970 says that something is over, as in a cookie that is to be removed: it stays.
    private static let longPast: Int64 = 86_400

    /// Moves `Date`, `Expires`, `Last-Modified`, and the `Expires` of cookies. `Max-Age` and `Age` are times from now on and
    /// stay, as does what is no time.
    package func apply(to fields: inout Fields) {
        for index in 0..<fields.count {
            let value = fields.value(at: index)
            var moved: String?
            if ["Date", "Expires", "Last-Modified"].contains(where: { fields.isName($0, at: index) }) {
                moved = httpDate(String(decoding: value, as: UTF8.self))
            } else if fields.isName("Set-Cookie", at: index) {
                moved = cookie(String(decoding: value, as: UTF8.self))
            }
            if let moved { fields.replaceValue(at: index, with: Array(moved.utf8)) }
        }
    }

    /// Moves the times in a JSON body at the given places.
    ///
    /// Texts keep their form and offset. Numbers are seconds since 1970 below 10¹¹, milliseconds from there on, microseconds
    /// from 10¹⁴ on; a fraction keeps its spelling.
    ///
    /// - Returns: the pointers that named no time in this body, as written.
    package func apply(to body: inout JSONValue, at pointers: [EditPointer]) -> [String] {
        pointers.filter { pointer in
            var count = 0
            _ = body.change(at: pointer.tokens[...]) { value in
                guard let moved = moved(value) else { return }
                value = moved
                count += 1
            }
            return count == 0
        }.map(\.description)
    }

    private func httpDate(_ text: String) -> String? {
        guard var date = HTTPDate(text), date.seconds > Self.longPast else { return nil }
        date.seconds += seconds
        return date.text
    }

    private func cookie(_ text: String) -> String? {
        var parts = text.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        var isMoved = false
        for index in parts.indices.dropFirst() {
            guard let equals = parts[index].firstIndex(of: "=") else { continue }
            let name = parts[index][..<equals].filter { $0 != " " && $0 != "\t" }
            guard name.lowercased() == "expires" else { continue }
            let value = parts[index][parts[index].index(after: equals)...]
            guard let moved = httpDate(String(value)) else { continue }
            parts[index] = parts[index][...equals] + moved
            isMoved = true
        }
        return isMoved ? parts.joined(separator: ";") : nil
    }

    private func moved(_ value: JSONValue) -> JSONValue? {
        switch value {
        case .number(let spelling): return number(spelling).map { .number($0) }
        case .string(let string):
            let text = string.text
            if var time = ISOTime(text) {
                time.seconds += seconds
                return time.text.map { .text($0) }
            }
            return (httpDate(text) ?? number(text)).map { .text($0) }
        default: return nil
        }
    }

    /// A number of seconds, milliseconds or microseconds, by its size; nil for an exponent.
    private func number(_ spelling: String) -> String? {
        let point = spelling.firstIndex(of: ".") ?? spelling.endIndex
        guard let whole = Int64(spelling[..<point]), whole > 0,
            spelling[point...].dropFirst().utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 })
        else { return nil }
        let unit: Int64 = whole < 100_000_000_000 ? 1 : whole < 100_000_000_000_000 ? 1_000 : 1_000_000
        let (product, overflow) = seconds.multipliedReportingOverflow(by: unit)
        let (sum, carried) = whole.addingReportingOverflow(product)
        return overflow || carried || sum < 0 ? nil : "\(sum)\(spelling[point...])"
    }
}
