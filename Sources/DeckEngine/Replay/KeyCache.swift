import CassetteKit
import HTTPCore

/// The keys of the last requests without a body, so that the same target is not hashed again; one for each loop.
final class KeyCache {
    /// Entries kept before the cache begins anew: some 20 MiB where a test asks for that many different things.
    static let capacity = 1 << 17
    /// Longer targets are not kept, in octets.
    static let longestTarget = 1_024

    private struct Place: Hashable {
        var method: String
        var scheme: String
        var authority: Authority
        var target: Bytes
    }

    private var keys: [Place: MatchKey] = [:]

    func key(_ method: String, _ address: Address, compute: () -> MatchKey) -> MatchKey {
        guard address.target.count <= Self.longestTarget else { return compute() }
        let place = Place(
            method: method, scheme: address.scheme, authority: address.authority, target: address.target)
        if let key = keys[place] { return key }
        if keys.count >= Self.capacity { keys.removeAll(keepingCapacity: true) }
        let key = compute()
        keys[place] = key
        return key
    }
}
