import Glibc
import Synchronization
import SystemIO
import Testing

@testable import Transport

@Suite struct EventLoopTests {
    /// Runs a body in a task of a fresh loop, and gives what it returns.
    private func onLoop<Value: Sendable>(
        _ poller: PollerKind, _ body: @escaping @Sendable (EventLoop) async -> Value
    ) async throws -> Value {
        let group = try EventLoopGroup(count: 1, poller: poller)
        defer { group.shutdown() }
        let loop = group.loops[0]
        return await withCheckedContinuation { continuation in
            loop.spawn { continuation.resume(returning: await body(loop)) }
        }
    }

    @Test(arguments: PollerKind.allCases) func keepsATaskOnItsThread(_ poller: PollerKind) async throws {
        let places = try await onLoop(poller) { loop in
            var places = [loop.isCurrent]
            await Task.yield()
            places.append(loop.isCurrent)
            try? await loop.sleep(for: .microseconds(10))
            places.append(loop.isCurrent && EventLoop.current === loop)
            return places
        }
        #expect(places == [true, true, true])
    }

    @Test(arguments: PollerKind.allCases) func firesTimersInOrderOfTheirDeadlines(_ poller: PollerKind) async throws {
        let order = try await onLoop(poller) { loop in
            let order = LoopBound(Box<[Int]>([]), on: loop)
            await withUnsafeContinuation { (done: UnsafeContinuation<Void, Never>) in
                for number in [3, 1, 2] {
                    loop.schedule(after: .milliseconds(number)) { order.value.content.append(number) }
                }
                let cancelled = loop.schedule(after: .milliseconds(1)) { order.value.content.append(99) }
                loop.cancel(cancelled)
                loop.schedule(after: .milliseconds(4)) { done.resume() }
            }
            return order.value.content
        }
        #expect(order == [1, 2, 3])
    }

    @Test(arguments: PollerKind.allCases) func endsASleepWhenItsTaskIsCancelled(_ poller: PollerKind) async throws {
        let wasCancelled = try await onLoop(poller) { loop in
            let result = Locked(false)
            let task = loop.spawn {
                do { try await loop.sleep(for: .seconds(3_600)) } catch { result.withLock { $0 = true } }
            }
            await Task.yield()
            task.cancel()
            await task.value
            return result.withLock { $0 }
        }
        #expect(wasCancelled)
    }

    @Test(arguments: PollerKind.allCases) func endsASleepCancelledFromAnotherThread(_ poller: PollerKind) async throws {
        let group = try EventLoopGroup(count: 1, poller: poller)
        defer { group.shutdown() }
        let loop = group.loops[0]
        let wasCancelled = Locked(false)
        let task = loop.spawn {
            do { try await loop.sleep(for: .seconds(3_600)) } catch { wasCancelled.withLock { $0 = true } }
        }
        task.cancel()
        await task.value
        #expect(wasCancelled.withLock { $0 })
    }

    @Test(arguments: PollerKind.allCases) func tellsAWatchedPipeAsLongAsItIsReadable(_ poller: PollerKind) async throws
    {
        let calls = try await onLoop(poller) { loop in
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { return -1 }
            let reader = ends[0]
            let calls = LoopBound(Box(0), on: loop)
            await withUnsafeContinuation { (done: UnsafeContinuation<Void, Never>) in
                try? loop.watch(fd: reader, for: .read) { readiness in
                    guard readiness.contains(.readable) else { return }
                    calls.value.content += 1
                    // Left unread twice, then read.
                    guard calls.value.content == 3 else { return }
                    var octet: UInt8 = 0
                    read(reader, &octet, 1)
                    loop.unwatch(fd: reader)
                    done.resume()
                }
                write(ends[1], "x", 1)
            }
            close(ends[0])
            close(ends[1])
            return calls.value.content
        }
        #expect(calls == 3)
    }

    @Test(arguments: PollerKind.allCases) func runsWorkFromOtherThreadsOnceEach(_ poller: PollerKind) async throws {
        let group = try EventLoopGroup(count: 2, poller: poller)
        defer { group.shutdown() }
        let count = Counter()
        let tasks = (0..<200).map { number in
            group.loops[number % 2].spawn { count.add() }
        }
        for task in tasks { await task.value }
        #expect(count.value == 200)
    }
}

/// Something to change from closures on one loop.
private final class Box<Content> {
    var content: Content
    init(_ content: Content) { self.content = content }
}

/// Counts from any thread.
private final class Counter: Sendable {
    private let content = Atomic(0)
    var value: Int { content.load(ordering: .relaxed) }
    func add() { content.add(1, ordering: .relaxed) }
}
