#if os(Linux)
    import CShims
    import Glibc
    import SystemIO

    /// Waits with `epoll(7)`. A socket is registered once, edge-triggered, so that requests make no `epoll_ctl` call.
    final class EpollPoller: Poller {
        private let epoll: Int32
        private let wake: Int32
        private let buffer: UnsafeMutableBufferPointer<tapedeck_event>

        /// Stands for the wake-up descriptor; descriptors' tokens hold a small number in their lower half.
        private static let wakeToken = UInt64.max

        init() throws(SystemError) {
            epoll = try Self.check("epoll_create1", tapedeck_epoll_create())
            do throws(SystemError) {
                wake = try Self.check("eventfd", tapedeck_eventfd_create())
            } catch {
                close(epoll)
                throw error
            }
            buffer = .allocate(capacity: 256)
            // Edge-triggered, so that it need never be read: each write is an edge.
            let bits = UInt32(TAPEDECK_READ | TAPEDECK_EDGE)
            _ = tapedeck_epoll_add(epoll, wake, bits, Self.wakeToken)
        }

        deinit {
            close(wake)
            close(epoll)
            buffer.deallocate()
        }

        func add(_ fd: Int32, _ interest: Interest, _ trigger: Trigger, token: UInt64) throws(SystemError) {
            try Self.check("epoll_ctl", tapedeck_epoll_add(epoll, fd, Self.bits(interest, trigger), token))
        }

        func change(_ fd: Int32, _ interest: Interest, _ trigger: Trigger, token: UInt64) throws(SystemError) {
            try Self.check("epoll_ctl", tapedeck_epoll_modify(epoll, fd, Self.bits(interest, trigger), token))
        }

        func remove(_ fd: Int32) {
            _ = tapedeck_epoll_remove(epoll, fd)
        }

        /// Nothing to do: the kernel tells the next edge by itself.
        func arm(_ fd: Int32, _ interest: Interest) {}

        func wait(_ milliseconds: Int32, into events: inout [PollEvent]) -> Bool {
            let count = tapedeck_epoll_wait(epoll, buffer.baseAddress, Int32(buffer.count), milliseconds)
            var woken = false
            for index in 0..<Int(max(count, 0)) {
                let event = buffer[index]
                if event.token == Self.wakeToken {
                    woken = true
                } else {
                    events.append(PollEvent(token: event.token, readiness: Readiness(rawValue: event.ready)))
                }
            }
            return woken
        }

        func wakeUp() {
            tapedeck_eventfd_signal(wake)
        }

        private static func bits(_ interest: Interest, _ trigger: Trigger) -> UInt32 {
            interest.rawValue | (trigger == .edge ? UInt32(TAPEDECK_EDGE) : 0)
        }

        @discardableResult
        private static func check(_ call: String, _ result: Int32) throws(SystemError) -> Int32 {
            if result < 0 { throw SystemError(call: call, errno: -result) }
            return result
        }
    }
#endif
