/// Whether the octets are an IPv6 address in text (RFC 3986 §3.2.2): eight groups of one to four hexadecimal digits,
/// one run of zero groups written `::`, the last two groups possibly as an IPv4 address; no zone.
func isIPv6(_ octets: UnsafeBufferPointer<UInt8>) -> Bool {
    var groups = 0
    var hasGap = false
    var index = 0
    if octets.starts(with: [Octet.colon, Octet.colon]) {
        hasGap = true
        index = 2
        if octets.count == 2 { return true }
    }
    while index < octets.count {
        var end = index
        while end < octets.count, octets[end].hexValue != nil { end += 1 }
        if end < octets.count, octets[end] == Octet.dot {
            guard isIPv4(UnsafeBufferPointer(rebasing: octets[index...])) else { return false }
            groups += 2
            index = octets.count
            break
        }
        guard (1...4).contains(end - index) else { return false }
        groups += 1
        index = end
        guard index < octets.count else { break }
        guard octets[index] == Octet.colon, index + 1 < octets.count else { return false }
        index += 1
        if octets[index] == Octet.colon {
            guard !hasGap else { return false }
            hasGap = true
            index += 1
        }
    }
    return hasGap ? groups <= 7 : groups == 8
}

/// Whether the octets are four numbers up to 255 without leading zeros, with dots between.
func isIPv4(_ octets: UnsafeBufferPointer<UInt8>) -> Bool {
    let parts = octets.split(separator: Octet.dot, omittingEmptySubsequences: false)
    guard parts.count == 4 else { return false }
    for part in parts {
        guard (1...3).contains(part.count), part.allSatisfy(\.isDigit) else { return false }
        if part.count > 1, part.first == UInt8(ascii: "0") { return false }
        guard part.reduce(0, { $0 * 10 + Int($1 - 0x30) }) <= 255 else { return false }
    }
    return true
}
