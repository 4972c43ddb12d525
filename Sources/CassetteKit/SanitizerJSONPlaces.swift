/// Places in JSON: which rule they have, and what they are called.
extension SanitizerPass {
    /// A pointer in a report shows this many names at most.
    private static let pointerLength = 24
    /// A placeholder that is told apart by its pointer shows it up to this length.
    private static let detailLength = 48

    /// The rule for a value in the innermost of `frames`.
    func rule(_ octets: Octets, _ frames: [JSONFrame]) -> Int? {
        guard let frame = frames.last else { return nil }
        return pointerRule(octets, frames) ?? frame.rule ?? frame.inherited ?? keptRule(octets, frames)
    }

    func pointerRule(_ octets: Octets, _ frames: [JSONFrame]) -> Int? {
        guard !local.pointers.isEmpty else { return nil }
        for (pointer, rule) in local.pointers where pointer.count == frames.count {
            if zip(pointer, frames).allSatisfy({ Self.matches($0, $1, octets) }) { return rule }
        }
        return nil
    }

    /// The rule that hides all but some places, unless this is one of them or below one.
    private func keptRule(_ octets: Octets, _ frames: [JSONFrame]) -> Int? {
        guard let kept = tables.keptJSON else { return nil }
        let isKept = kept.pointers.contains { pointer in
            pointer.count <= frames.count && zip(pointer, frames).allSatisfy { Self.matches($0, $1, octets) }
        }
        return isKept ? nil : kept.rule
    }

    private static func matches(_ component: [UInt8], _ frame: JSONFrame, _ octets: Octets) -> Bool {
        if component == [UInt8(ascii: "*")] { return true }
        guard frame.isObject else { return component.elementsEqual(String(frame.index).utf8) }
        if frame.nameHasEscapes { return SanitizerView(octets, frame.name, undoing: .json).octets == component }
        return octets[frame.name].elementsEqual(component)
    }

    func nearestName(_ octets: Octets, _ frames: [JSONFrame]) -> [UInt8] {
        frames.last(where: \.isObject).map { Array(octets[$0.name]) } ?? []
    }

    /// Where a value in the innermost of `frames` stands. Places come again and again, so each is put in words once.
    mutating func place(_ octets: Octets, _ frames: [JSONFrame], _ outer: SecretLocation) -> SecretLocation {
        let key = key(octets, frames, outer)
        if let known = places[key] { return known }
        let place = Self.place(octets, frames, outer, side)
        if places.count < Self.placesKept { places[key] = place }
        return place
    }

    private static let placesKept = 4_096

    /// A hash of the pointer to a value in the innermost of `frames` (FNV-1a).
    func key(_ octets: Octets, _ frames: [JSONFrame], _ outer: SecretLocation) -> UInt64 {
        guard let frame = frames.last else {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for octet in outer.part.rawValue.utf8 { hash = (hash ^ UInt64(octet)) &* 0x0000_0100_0000_01B3 }
            for octet in outer.name.utf8 { hash = (hash ^ UInt64(octet)) &* 0x0000_0100_0000_01B3 }
            return hash
        }
        var hash = (frame.key ^ (frame.isObject ? 0x2F : 0x2A)) &* 0x0000_0100_0000_01B3
        guard frame.isObject else { return hash }
        for at in frame.name { hash = (hash ^ UInt64(octets[at])) &* 0x0000_0100_0000_01B3 }
        return hash
    }

    private static func place(
        _ octets: Octets, _ frames: [JSONFrame], _ outer: SecretLocation, _ side: SecretLocation.Side
    ) -> SecretLocation {
        var pointer = outer.name
        for (index, frame) in frames.enumerated() {
            if index == Self.pointerLength {
                pointer += "/…"
                break
            }
            pointer += frame.isObject ? "/" + JSONPointer.escape(octets[frame.name].prefix(64)) : "/*"
        }
        return SecretLocation(side: side, part: outer.part, name: pointer)
    }

    /// The pointer as a part of a placeholder's name: `items-1-token`.
    static func detail(_ octets: Octets, _ frames: [JSONFrame]) -> String {
        var name: [UInt8] = []
        for frame in frames {
            if !name.isEmpty { name.append(UInt8(ascii: "-")) }
            if frame.isObject {
                name += octets[frame.name].filter { SecretPlaceholder.isNameOctet($0) && $0 != UInt8(ascii: ".") }
            } else {
                name += String(frame.index).utf8
            }
        }
        guard name.count > detailLength else { return String(decoding: name, as: UTF8.self) }
        let hash = Names.hex(SHA256.digest(name).prefix(4))
        return String(decoding: name.suffix(detailLength - hash.utf8.count - 1), as: UTF8.self) + "-" + hash
    }
}
