import Testing

@testable import SystemIO

@Suite struct BackgroundQueueTests {
    private struct Failure: Error, Equatable {}

    @Test func returnsWhatTheWorkReturns() async throws {
        let queue = try BackgroundQueue(label: "test", threads: 2, capacity: 4)
        try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for number in 0..<500 { group.addTask { (number, try await queue.run { number * number }) } }
            for try await (number, square) in group { #expect(square == number * number) }
        }
    }

    @Test func throwsWhatTheWorkThrows() async throws {
        let queue = try BackgroundQueue(label: "test", threads: 1, capacity: 4)
        await #expect(throws: Failure()) { try await queue.run { throw Failure() } }
    }

    @Test func beginsInTheOrderOfTheCalls() async throws {
        let queue = try BackgroundQueue(label: "test", threads: 1, capacity: 4)
        let order = Monitor<[Int]>([])
        for number in 0..<100 { try await queue.run { order.change { $0.append(number) } } }
        #expect(order.change { $0 } == Array(0..<100))
    }

    @Test func runsNoMoreAtOnceThanItHasThreads() async throws {
        let queue = try BackgroundQueue(label: "test", threads: 3, capacity: 100)
        let running = Monitor((now: 0, most: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await queue.run {
                        running.change { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                        // All three are in here together before any goes on.
                        _ = running.wait(atMost: 10_000) { $0.most >= 3 ? true : nil }
                        running.change { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(running.change { $0 } == (0, 3))
    }

    @Test func refusesWhatCanBeRefusedWhenFull() async throws {
        let queue = try BackgroundQueue(label: "test", threads: 1, capacity: 1)
        let mayEnd = Monitor(false)
        let (isRunning, began) = AsyncStream.makeStream(of: Void.self)
        async let first: Void = queue.run {
            began.finish()
            _ = mayEnd.wait { $0 ? true : nil }
        }
        for await _ in isRunning {}
        await withTaskGroup(of: BackgroundQueue.Refusal?.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    do {
                        try await queue.run(whenFull: .refuse) {}
                        return nil
                    } catch {
                        return error as? BackgroundQueue.Refusal
                    }
                }
            }
            // One has the only place and waits there; the two others come back at once.
            for _ in 0..<2 { #expect(await group.next() == .full) }
            mayEnd.change { $0 = true }
            #expect(await group.next() == .some(nil))
        }
        try await first
    }

    @Test func finishesWhatWaitsAndTakesNoMoreAfterShutdown() async throws {
        let queue = try BackgroundQueue(label: "test", threads: 1, capacity: 1)
        #expect(try await queue.run { 1 } == 1)
        async let last = queue.run {
            queue.shutdown()
            return 2
        }
        #expect(try await last == 2)
        await #expect(throws: BackgroundQueue.Refusal.shutDown) { try await queue.run { 3 } }
    }
}
