/// Numbers by their exact decimal value.
enum MatchNumber {
    /// Writes the canonical form of a JSON number: sign, digits without zeros at either end, `e`, and the power of ten of
    /// the last digit. Nothing is expanded: the form is at most a few octets longer than the spelling.
    static func append(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ out: inout [UInt8]) {
        var digits: [UInt8] = []
        digits.reserveCapacity(range.count)
        var at = range.lowerBound
        let isNegative = octets[at] == UInt8(ascii: "-")
        if isNegative { at += 1 }
        var fraction = 0
        var isFraction = false
        while at < range.upperBound, octets[at] | 0x20 != UInt8(ascii: "e") {
            if octets[at] == UInt8(ascii: ".") {
                isFraction = true
            } else {
                digits.append(octets[at])
                if isFraction { fraction += 1 }
            }
            at += 1
        }
        let zero = UInt8(ascii: "0")
        var zeros = 0
        while digits.last == zero {
            digits.removeLast()
            zeros += 1
        }
        let first = digits.firstIndex { $0 != zero } ?? digits.count
        guard first < digits.count else {
            out.append(zero)
            return
        }
        if isNegative { out.append(UInt8(ascii: "-")) }
        out.append(contentsOf: digits[first...])
        out.append(UInt8(ascii: "e"))
        exponent(octets, min(at + 1, range.upperBound)..<range.upperBound, plus: zeros - fraction, &out)
    }

    /// Writes the sum of a spelled exponent of any length and a small number.
    private static func exponent(
        _ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, plus adjustment: Int, _ out: inout [UInt8]
    ) {
        var at = range.lowerBound
        var isNegative = false
        if at < range.upperBound, octets[at] == UInt8(ascii: "-") || octets[at] == UInt8(ascii: "+") {
            isNegative = octets[at] == UInt8(ascii: "-")
            at += 1
        }
        while at < range.upperBound, octets[at] == UInt8(ascii: "0") { at += 1 }
        if range.upperBound - at <= 17 {
            var value = 0
            for octet in octets[at..<range.upperBound] { value = value * 10 + Int(octet - 0x30) }
            out.append(contentsOf: String((isNegative ? -value : value) + adjustment).utf8)
            return
        }
        // Eighteen digits and more: the adjustment, far smaller, changes neither the sign nor, but for a carry, the front.
        var digits = octets[at..<range.upperBound].map { Int($0 - 0x30) }
        var carry = isNegative ? -adjustment : adjustment
        for index in digits.indices.reversed() where carry != 0 {
            let sum = digits[index] + carry
            digits[index] = ((sum % 10) + 10) % 10
            carry = (sum - digits[index]) / 10
        }
        if carry > 0 { digits.insert(carry, at: 0) }
        if isNegative { out.append(UInt8(ascii: "-")) }
        out.append(contentsOf: digits.drop { $0 == 0 }.map { UInt8($0 + 0x30) })
    }
}
