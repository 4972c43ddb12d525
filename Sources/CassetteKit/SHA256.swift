/// SHA-256 (FIPS 180-4), fed piece by piece.
///
/// A value type: a copy taken halfway goes on by itself. Takes up to 2^61 octets.
package struct SHA256: Sendable {
    private var state = initialState
    private var pending: [UInt8] = []
    private var octets: UInt64 = 0

    private typealias State = SIMD8<UInt32>

    /// The first 32 bits of the fractional parts of the square roots of the first eight primes (FIPS 180-4 §5.3.3).
    private static let initialState = State(
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)

    private static let blockSize = 64

    package init() {}

    /// The digest of `bytes`, 32 octets.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBufferPointer { digest($0) }
    }

    /// The digest of `bytes`, 32 octets.
    package static func digest(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var hash = SHA256()
        let whole = bytes.count / blockSize * blockSize
        hash.octets = UInt64(bytes.count)
        for at in stride(from: 0, to: whole, by: blockSize) { compress(&hash.state, bytes, from: at) }
        return hash.finish(UnsafeBufferPointer(rebasing: bytes[whole...]))
    }

    /// Takes more input.
    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { update($0) }
    }

    /// Takes more input.
    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBufferPointer { update($0) }
    }

    /// Takes more input.
    package mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
        octets += UInt64(bytes.count)
        var at = 0
        if !pending.isEmpty {
            at = min(Self.blockSize - pending.count, bytes.count)
            pending.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[0..<at]))
            guard pending.count == Self.blockSize else { return }
            pending.withUnsafeBufferPointer { Self.compress(&state, $0, from: 0) }
            pending.removeAll(keepingCapacity: true)
        }
        while bytes.count - at >= Self.blockSize {
            Self.compress(&state, bytes, from: at)
            at += Self.blockSize
        }
        if at < bytes.count {
            pending.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[at...]))
        }
    }

    /// Ends the input and gives the digest, 32 octets. The hash must not be fed afterwards.
    package mutating func finish() -> [UInt8] {
        let rest = pending
        return rest.withUnsafeBufferPointer { finish($0) }
    }

    /// Pads what is left, less than a block, with a one bit, zeros and the length in bits (FIPS 180-4 §5.1.1).
    private mutating func finish(_ rest: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        let count = rest.count < Self.blockSize - 8 ? Self.blockSize : 2 * Self.blockSize
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { block in
            block.initialize(repeating: 0)
            for at in 0..<rest.count { block[at] = rest[at] }
            block[rest.count] = 0x80
            let bits = octets &* 8
            for place in 0..<8 { block[count - 1 - place] = UInt8(truncatingIfNeeded: bits >> UInt64(place * 8)) }
            let input = UnsafeBufferPointer(block)
            for at in stride(from: 0, to: count, by: Self.blockSize) { Self.compress(&state, input, from: at) }
        }
        return [UInt8](unsafeUninitializedCapacity: 32) { digest, count in
            for place in 0..<32 {
                digest[place] = UInt8(truncatingIfNeeded: state[place >> 2] >> UInt32(24 - (place & 3) * 8))
            }
            count = 32
        }
    }

    /// One block of the compression function (FIPS 180-4 §6.2.2). The message schedule is a ring of sixteen words.
    private static func compress(_ state: inout State, _ input: UnsafeBufferPointer<UInt8>, from start: Int) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 16) { ring in
            for word in 0..<16 {
                let at = start + word * 4
                ring[word] =
                    UInt32(input[at]) << 24 | UInt32(input[at + 1]) << 16 | UInt32(input[at + 2]) << 8
                    | UInt32(input[at + 3])
            }
            roundConstants.withUnsafeBufferPointer { constants in
                state &+= rounds(state, ring, constants)
            }
        }
    }

    /// 64 rounds, eight at a time, so that no variable has to move: each takes the place that the rotation gives it.
    private static func rounds(
        _ state: State, _ ring: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
    ) -> State {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        var round = 0
        while round < 64 {
            if round >= 16 {
                for ahead in 0..<8 { extend(ring, round &+ ahead) }
            }
            let at = round & 15
            step(a, b, c, &d, e, f, g, &h, constants[round] &+ ring[at])
            step(h, a, b, &c, d, e, f, &g, constants[round &+ 1] &+ ring[at &+ 1])
            step(g, h, a, &b, c, d, e, &f, constants[round &+ 2] &+ ring[at &+ 2])
            step(f, g, h, &a, b, c, d, &e, constants[round &+ 3] &+ ring[at &+ 3])
            step(e, f, g, &h, a, b, c, &d, constants[round &+ 4] &+ ring[at &+ 4])
            step(d, e, f, &g, h, a, b, &c, constants[round &+ 5] &+ ring[at &+ 5])
            step(c, d, e, &f, g, h, a, &b, constants[round &+ 6] &+ ring[at &+ 6])
            step(b, c, d, &e, f, g, h, &a, constants[round &+ 7] &+ ring[at &+ 7])
            round &+= 8
        }
        return State(a, b, c, d, e, f, g, h)
    }

    /// One round; `word` is the schedule's word with the round's constant.
    @inline(__always)
    private static func step(
        _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
        _ h: inout UInt32, _ word: UInt32
    ) {
        let first = h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ (g ^ (e & (f ^ g))) &+ word
        d = d &+ first
        h = first &+ (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ ((a & b) | (c & (a | b)))
    }

    @inline(__always)
    private static func extend(_ ring: UnsafeMutableBufferPointer<UInt32>, _ round: Int) {
        let early = ring[(round &+ 1) & 15]
        let late = ring[(round &+ 14) & 15]
        let small = rotate(early, 7) ^ rotate(early, 18) ^ (early >> 3)
        let large = rotate(late, 17) ^ rotate(late, 19) ^ (late >> 10)
        ring[round & 15] = ring[round & 15] &+ small &+ ring[(round &+ 9) & 15] &+ large
    }

    @inline(__always)
    private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 {
        (word &>> bits) | (word &<< (32 &- bits))
    }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4 §4.2.2).
    private static let roundConstants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
