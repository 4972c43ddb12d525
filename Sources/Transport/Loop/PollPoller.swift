import CShims
import SystemIO

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Waits with `poll(2)`. An edge-triggered descriptor is watched for a condition until it was told, then again when armed.
final class PollPoller: Poller {
    private struct Entry {
        var token: UInt64
        var trigger: Trigger
    }

    private let wakeReader: Int32
    private let wakeWriter: Int32
    /// The wake-up pipe, then what is watched; `entries` runs beside it.
    private var watched: [pollfd]
    private var entries: [Entry]
    private var places: [Int32: Int] = [:]

    init() throws(SystemError) {
        var reader: Int32 = -1
        var writer: Int32 = -1
        let result = tapedeck_pipe(&reader, &writer)
        if result < 0 { throw SystemError(call: "pipe", errno: -result) }
        wakeReader = reader
        wakeWriter = writer
        watched = [pollfd(fd: reader, events: Int16(POLLIN), revents: 0)]
        entries = [Entry(token: .max, trigger: .level)]
    }

    deinit {
        close(wakeReader)
        close(wakeWriter)
    }

    func add(_ fd: Int32, _ interest: Interest, _ trigger: Trigger, token: UInt64) throws(SystemError) {
        if places[fd] != nil { throw SystemError(call: "poll", errno: EEXIST) }
        places[fd] = watched.count
        watched.append(pollfd(fd: fd, events: Self.bits(interest), revents: 0))
        entries.append(Entry(token: token, trigger: trigger))
    }

    func change(_ fd: Int32, _ interest: Interest, _ trigger: Trigger, token: UInt64) throws(SystemError) {
        guard let place = places[fd] else { throw SystemError(call: "poll", errno: ENOENT) }
        watched[place] = pollfd(fd: fd, events: Self.bits(interest), revents: 0)
        entries[place] = Entry(token: token, trigger: trigger)
    }

    func remove(_ fd: Int32) {
        guard let place = places.removeValue(forKey: fd) else { return }
        let last = watched.count - 1
        if place != last {
            watched[place] = watched[last]
            entries[place] = entries[last]
            // A descriptor that failed is stored as its complement.
            let moved = watched[place].fd
            places[moved < 0 ? ~moved : moved] = place
        }
        watched.removeLast()
        entries.removeLast()
    }

    func arm(_ fd: Int32, _ interest: Interest) {
        guard let place = places[fd] else { return }
        watched[place].events |= Self.bits(interest)
    }

    func wait(_ milliseconds: Int32, into events: inout [PollEvent]) -> Bool {
        var left = poll(&watched, nfds_t(watched.count), milliseconds)
        if left <= 0 { return false }
        var woken = false
        if watched[0].revents != 0 {
            woken = true
            left -= 1
            tapedeck_pipe_drain(wakeReader)
        }
        var place = 1
        while left > 0, place < watched.count {
            if watched[place].revents != 0 {
                left -= 1
                report(place, into: &events)
            }
            place += 1
        }
        return woken
    }

    func wakeUp() {
        tapedeck_pipe_signal(wakeWriter)
    }

    private func report(_ place: Int, into events: inout [PollEvent]) {
        let seen = watched[place].revents
        var readiness: Readiness = []
        if seen & Int16(POLLIN) != 0 { readiness.insert(.readable) }
        if seen & Int16(POLLOUT) != 0 { readiness.insert(.writable) }
        if seen & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { readiness.insert(.failed) }
        events.append(PollEvent(token: entries[place].token, readiness: readiness))
        guard entries[place].trigger == .edge else { return }
        watched[place].events &= ~seen
        // A failure lasts and cannot be masked: a negative descriptor is passed over.
        if readiness.contains(.failed) { watched[place].fd = ~watched[place].fd }
    }

    private static func bits(_ interest: Interest) -> Int16 {
        var bits: Int32 = 0
        if interest.contains(.read) { bits |= Int32(POLLIN) }
        if interest.contains(.write) { bits |= Int32(POLLOUT) }
        return Int16(bits)
    }
}
