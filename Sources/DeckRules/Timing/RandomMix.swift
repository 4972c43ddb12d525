/// The source of every random decision: a hash of what the exchange is, not of when it came.
///
/// The same seed, session, route, match key and ordinal within the key give the same 64 bits on every machine and in every
/// interleaving of exchanges. Each word is added to the state, which then goes through the finalizer of SplitMix64
/// (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014; constants by D. Stafford, mix 13). Texts
/// enter as their FNV-1a hash, 64 bits. Not a cryptographic hash.
package struct RandomMix: Sendable, Equatable {
    /// What a random number is for; two uses in one exchange are independent.
    package enum Use: UInt64, Sendable {
        case probability = 1
        case latency = 2
    }

    private var state: UInt64

    package init(seed: UInt64) {
        state = RandomMix.finalize(seed &+ RandomMix.increment)
    }

    /// The mix with one more word in it.
    package func adding(_ word: UInt64) -> RandomMix {
        var next = self
        next.state = RandomMix.finalize((state ^ word) &+ RandomMix.increment)
        return next
    }

    /// The mix with a text's UTF-8 octets in it.
    package func adding(_ text: String) -> RandomMix {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for octet in text.utf8 { hash = (hash ^ UInt64(octet)) &* 0x0000_0100_0000_01b3 }
        return adding(hash)
    }

    /// The mix with a match key and the key's ordinal, from 1, in it.
    package func adding(_ key: ExchangeKey, ordinal: Int) -> RandomMix {
        adding(key.high).adding(key.low).adding(UInt64(bitPattern: Int64(ordinal)))
    }

    /// 64 evenly spread bits for one use.
    package func bits(_ use: Use) -> UInt64 { adding(use.rawValue).state }

    /// An evenly spread number in 0..<1, made of the upper 53 bits.
    package func fraction(_ use: Use) -> Double { Double(bits(use) >> 11) * 0x1p-53 }

    private static let increment: UInt64 = 0x9e37_79b9_7f4a_7c15

    private static func finalize(_ word: UInt64) -> UInt64 {
        var z = word
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

/// A match key's 16 octets as two words, so that rules need not know how it is made.
package struct ExchangeKey: Sendable, Hashable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Stands for "no key": all such exchanges count as equal requests.
    package static let none = ExchangeKey(high: 0, low: 0)
}
