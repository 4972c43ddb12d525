import HTTPCore

/// Replaces the addresses of upstreams in octets that come piece by piece; no octet waits but those that may be the beginning
/// of one.
struct AddressRewriter: Sendable {
    /// An address and what stands in its place.
    struct Replacement: Sendable {
        /// `https://api.example.com`, also with slashes as JSON may escape them; in lower case.
        var address: Bytes
        var other: Bytes
    }

    private let replacements: [Replacement]
    /// The end of what came, which may be the beginning of an address.
    private var held = Bytes()
    /// Whether anything was replaced so far.
    private(set) var hasReplaced = false

    init(_ replacements: [Replacement]) { self.replacements = replacements }

    /// Takes a piece and gives what can go on.
    mutating func take(_ piece: Bytes) -> Bytes { pass(piece, isLast: false) }

    /// Gives the rest, once nothing follows.
    mutating func finish() -> Bytes { pass([], isLast: true) }

    private enum Look {
        case nothing
        /// More octets are needed to tell.
        case open
        case found(Replacement)
    }

    private mutating func pass(_ piece: Bytes, isLast: Bool) -> Bytes {
        let octets = held.isEmpty ? piece : held + piece
        held = []
        var out = Bytes()
        var copied = 0
        var at = 0
        // All addresses begin with the h of http.
        while let start = Self.nextH(octets, from: at) {
            switch look(octets, start, isLast: isLast) {
            case .nothing: at = start + 1
            case .found(let replacement):
                hasReplaced = true
                out += octets[copied..<start] + replacement.other
                at = start + replacement.address.count
                copied = at
            case .open:
                held = Bytes(octets[start...])
                return out + octets[copied..<start]
            }
        }
        return copied == 0 && out.isEmpty ? octets : out + octets[copied...]
    }

    private static func nextH(_ octets: Bytes, from start: Int) -> Int? {
        octets.withUnsafeBufferPointer { octets in
            var at = start
            while at < octets.count {
                if octets[at] | 0x20 == UInt8(ascii: "h") { return at }
                at += 1
            }
            return nil
        }
    }

    private func look(_ octets: Bytes, _ start: Int, isLast: Bool) -> Look {
        var isOpen = false
        for replacement in replacements {
            let address = replacement.address
            let shared = min(address.count, octets.count - start)
            let isEqual = (0..<shared).allSatisfy { Self.lowercased(octets[start + $0]) == address[$0] }
            guard isEqual else { continue }
            if shared < address.count || start + shared == octets.count, !isLast {
                isOpen = true
            } else if shared == address.count,
                start + shared == octets.count || !Self.continuesAuthority(octets[start + shared])
            {
                return .found(replacement)
            }
        }
        return isOpen ? .open : .nothing
    }

    private static func lowercased(_ octet: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(octet) ? octet | 0x20 : octet
    }

    /// Whether an octet after an address makes it another one: `http://api.test.evil`, `http://api.test:81`.
    private static func continuesAuthority(_ octet: UInt8) -> Bool {
        (octet | 0x20) >= 0x61 && (octet | 0x20) <= 0x7A || octet >= 0x30 && octet <= 0x39
            || octet == UInt8(ascii: ".") || octet == UInt8(ascii: "-") || octet == UInt8(ascii: ":")
    }
}
