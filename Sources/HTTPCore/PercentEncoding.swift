/// Undoes percent escapes once; malformed ones stay as they are.
/// - Parameter plusIsSpace: reads `+` as SP, as forms do.
package func percentDecode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool) -> Bytes {
    withOctets(bytes) { octets in
        var out = Bytes()
        out.reserveCapacity(octets.count)
        var index = 0
        while index < octets.count {
            if let octet = escape(octets, at: index) {
                out.append(octet)
                index += 3
            } else {
                let isSpace = plusIsSpace && octets[index] == Octet.plus
                out.append(isSpace ? Octet.space : octets[index])
                index += 1
            }
        }
        return out
    }
}

/// Writes equal escapes equally (RFC 3986 §6.2.2): hexadecimal digits in capitals, unreserved characters without an
/// escape; all else stays, malformed escapes too. A digit behind a stray `%` keeps its escape: without it the two would
/// make an escape that was not there, and unequal targets would look equal.
package func normalizePercent(_ bytes: some Collection<UInt8>) -> Bytes {
    withOctets(bytes) { octets in
        var out = Bytes()
        out.reserveCapacity(octets.count)
        var stray = -3
        var index = 0
        while index < octets.count {
            guard let octet = escape(octets, at: index) else {
                if octets[index] == Octet.percent { stray = out.count }
                out.append(octets[index])
                index += 1
                continue
            }
            index += 3
            let joinsStray = octet.hexValue != nil && out.count - stray <= 2
            if OctetSet.unreserved.contains(octet), !joinsStray {
                out.append(octet)
            } else {
                out.append(Octet.percent)
                out.append(capitalHex(octet >> 4))
                out.append(capitalHex(octet & 0x0F))
            }
        }
        return out
    }
}

/// The octet that a well-formed escape at `index` stands for.
@inline(__always)
private func escape(_ octets: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt8? {
    guard octets[index] == Octet.percent, index + 2 < octets.count, let high = octets[index + 1].hexValue,
        let low = octets[index + 2].hexValue
    else { return nil }
    return high << 4 | low
}

private func capitalHex(_ digit: UInt8) -> UInt8 {
    digit < 10 ? 0x30 + digit : 0x37 + digit
}
