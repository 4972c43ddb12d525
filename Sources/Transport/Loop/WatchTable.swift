/// Something that a loop tells about its descriptor.
protocol ReadinessHandler: AnyObject {
    /// Called on the loop.
    func ready(_ readiness: Readiness)
}

/// Who is told about which descriptor. A token holds the descriptor and how often its place was used, so that an event that was
/// found before a descriptor was closed and its number used again reaches nobody.
struct WatchTable {
    private struct Slot {
        var handler: (any ReadinessHandler)?
        var generation: UInt32 = 0
        var trigger = Trigger.level
    }

    private var slots: [Slot] = []

    /// Puts a handler in place and gives its token.
    mutating func insert(_ fd: Int32, _ handler: any ReadinessHandler, _ trigger: Trigger) -> UInt64 {
        let place = Int(fd)
        while slots.count <= place { slots.append(Slot()) }
        slots[place].generation &+= 1
        slots[place].handler = handler
        slots[place].trigger = trigger
        return token(fd)
    }

    /// The token of a watched descriptor and how it is triggered, or nil.
    func watched(_ fd: Int32) -> (token: UInt64, trigger: Trigger)? {
        let place = Int(fd)
        guard fd >= 0, place < slots.count, slots[place].handler != nil else { return nil }
        return (token(fd), slots[place].trigger)
    }

    mutating func remove(_ fd: Int32) {
        slots[Int(fd)].handler = nil
    }

    func handler(_ token: UInt64) -> (any ReadinessHandler)? {
        let place = Int(UInt32(truncatingIfNeeded: token))
        guard place < slots.count, slots[place].generation == UInt32(token >> 32) else { return nil }
        return slots[place].handler
    }

    private func token(_ fd: Int32) -> UInt64 {
        UInt64(slots[Int(fd)].generation) << 32 | UInt64(UInt32(bitPattern: fd))
    }
}
