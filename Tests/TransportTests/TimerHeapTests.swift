import TestSupport
import Testing

@testable import Transport

@Suite struct TimerHeapTests {
    @Test func givesTimersInOrderWhateverWasAddedAndTakenOut() {
        var generator = SeededGenerator(seed: 7)
        var heap = TimerHeap()
        var kept: [EventLoop.Timer] = []
        for number in 0..<2_000 {
            let timer = EventLoop.Timer {}
            timer.deadline = UInt64.random(in: 0..<300, using: &generator)
            heap.add(timer)
            kept.append(timer)
            if number % 3 == 0 {
                heap.remove(kept.remove(at: Int.random(in: 0..<kept.count, using: &generator)))
            }
        }
        kept.sort { $0.isBefore($1) }
        for timer in kept {
            if timer.deadline > 0 { #expect(heap.takeDue(timer.deadline - 1) == nil) }
            #expect(heap.takeDue(timer.deadline) === timer)
            #expect(!timer.isSet)
        }
        #expect(heap.soonest == nil)
    }
}
