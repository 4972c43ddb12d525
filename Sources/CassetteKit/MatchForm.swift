/// A canonical form under construction: tagged parts, each with its length before it, so that no two different
/// sequences of parts give the same octets.
struct MatchForm: Sendable {
    /// What a part is.
    enum Tag: UInt8 {
        case version = 0x56  // V
        case method = 0x4D  // M
        case authority = 0x41  // A
        case path = 0x50  // P
        case item = 0x51  // Q
        case value = 0x3D  // =
        case field = 0x48  // H
        case octets = 0x4F  // O
        case json = 0x4A  // J
        case form = 0x46  // F
        case part = 0x42  // B
        case graphQL = 0x47  // G
    }

    private(set) var octets: [UInt8] = []

    init(reserving capacity: Int = 256) { octets.reserveCapacity(capacity) }

    mutating func append(_ tag: Tag, _ part: some Collection<UInt8>) {
        octets.append(tag.rawValue)
        Self.length(part.count, &octets)
        octets.append(contentsOf: part)
    }

    /// A number of octets, in base 128 with the low digits first.
    static func length(_ count: Int, _ out: inout [UInt8]) {
        var rest = UInt(bitPattern: count)
        while rest >= 0x80 {
            out.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        out.append(UInt8(truncatingIfNeeded: rest))
    }

    var digest: [UInt8] { octets.withUnsafeBufferPointer { SHA256.digest($0) } }
}
