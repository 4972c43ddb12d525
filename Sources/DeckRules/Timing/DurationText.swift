/// Reads a time as people write it in configurations and flags: a decimal number and a unit, `750ms`, `3s`, `1.5s`, `2m`.
///
/// - Returns: nil for anything else: no unit, a sign, an exponent, spaces, a finer fraction than a nanosecond, or more than a
///   day. Zero is a time (`0s`).
package func parseDuration(_ text: String) -> Duration? {
    let bytes = Array(text.utf8)
    guard let unitStart = bytes.firstIndex(where: { !isDigit($0) && $0 != UInt8(ascii: ".") }),
        let unit = nanosecondsPerUnit(bytes[unitStart...]),
        let nanoseconds = scaled(bytes[..<unitStart], by: unit),
        nanoseconds <= longestDuration
    else { return nil }
    return .nanoseconds(nanoseconds)
}

/// Writes a time the way ``parseDuration(_:)`` reads it, in the largest unit that needs no fraction.
package func durationText(_ duration: Duration) -> String {
    let nanoseconds = duration.nanoseconds
    if nanoseconds % 60_000_000_000 == 0, nanoseconds > 0 { return "\(nanoseconds / 60_000_000_000)m" }
    if nanoseconds % 1_000_000_000 == 0 { return "\(nanoseconds / 1_000_000_000)s" }
    if nanoseconds % 1_000_000 == 0 { return "\(nanoseconds / 1_000_000)ms" }
    let fraction = String(1_000_000 + nanoseconds % 1_000_000).dropFirst()
    return "\(nanoseconds / 1_000_000).\(fraction)ms"
}

extension Duration {
    /// Whole nanoseconds, rounded toward zero; saturates at ±292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carried ? (seconds < 0 ? .min : .max) : sum
    }

    /// The time times a factor, to the nanosecond; a factor below zero counts as zero, and a day is the most.
    package func scaled(by factor: Double) -> Duration {
        let product = Double(nanoseconds) * max(0, factor)
        return .nanoseconds(product < Double(longestDuration) ? Int64(product) : longestDuration)
    }
}

/// A day: a longer delay in a test is a slip of the pen.
private let longestDuration: Int64 = 86_400_000_000_000

private func nanosecondsPerUnit(_ unit: ArraySlice<UInt8>) -> Int64? {
    switch String(decoding: unit, as: UTF8.self) {
    case "us", "µs": 1_000
    case "ms": 1_000_000
    case "s": 1_000_000_000
    case "m", "min": 60_000_000_000
    case "h": 3_600_000_000_000
    default: nil
    }
}

/// Digits with at most one point among them, times a unit; nil where the result is no whole number or too large.
private func scaled(_ digits: ArraySlice<UInt8>, by unit: Int64) -> Int64? {
    var value: Int64 = 0
    var divisor: Int64?
    var seen = 0
    for octet in digits {
        if octet == UInt8(ascii: ".") {
            guard divisor == nil, seen > 0 else { return nil }
            divisor = 1
            continue
        }
        seen += 1
        guard seen <= 15 else { return nil }
        value = value * 10 + Int64(octet - UInt8(ascii: "0"))
        if let current = divisor { divisor = current * 10 }
    }
    guard seen > 0, digits.last != UInt8(ascii: ".") else { return nil }
    let (product, overflow) = value.multipliedReportingOverflow(by: unit)
    let parts = divisor ?? 1
    return overflow || product % parts != 0 ? nil : product / parts
}

private func isDigit(_ octet: UInt8) -> Bool { octet >= UInt8(ascii: "0") && octet <= UInt8(ascii: "9") }
