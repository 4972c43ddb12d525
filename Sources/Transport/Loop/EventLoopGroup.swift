package import SystemIO

/// The loops of one program, usually one per core.
package final class EventLoopGroup: Sendable {
    package let loops: [EventLoop]

    /// Starts `count` loops (at least 1). Throws when the system gives no thread or descriptor.
    package init(count: Int, poller: PollerKind = .epoll, clock: LoopClock = .system) throws(SystemError) {
        var loops: [EventLoop] = []
        do throws(SystemError) {
            for index in 0..<max(count, 1) {
                loops.append(try EventLoop(index: index, poller: poller, clock: clock))
            }
        } catch {
            for loop in loops { loop.stop() }
            throw error
        }
        self.loops = loops
    }

    /// Ends the loops' threads and waits for them. From a thread that is none of theirs; tasks that still wait never go on.
    package func shutdown() {
        for loop in loops { loop.stop() }
    }
}
