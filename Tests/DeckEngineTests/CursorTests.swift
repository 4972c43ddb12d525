import CassetteKit
import DeckRules
import HTTPCore
import Testing

@testable import DeckEngine

/// The order in which equal requests get their answers.
@Suite struct CursorTests {
    /// A sequence of answers with their repeats and the writes before them.
    private func sequence(_ steps: [(repeats: Int, after: Int)]) -> ReplayIndex.Sequence {
        var sequence = ReplayIndex.Sequence()
        for (index, step) in steps.enumerated() {
            sequence.steps.append((index, sequence.count + step.repeats))
            sequence.after.append(step.after)
        }
        return sequence
    }

    private func plain(_ repeats: Int...) -> ReplayIndex.Sequence { sequence(repeats.map { ($0, 0) }) }

    /// The interactions that requests get; nil where the order is used up.
    private func played(
        _ count: Int, _ sequence: ReplayIndex.Sequence, _ policy: PlaybackPolicy, _ cursor: inout Cursor,
        writes: Int = 0
    ) -> [Int?] {
        (0..<count).map { _ in
            guard case .play(let index, _) = cursor.take(sequence, policy, writes: writes).step else { return nil }
            return index
        }
    }

    @Test(arguments: [
        (PlaybackPolicy.repeatLast, [0, 1, 1, 2, 2, 2, 2]), (.loop, [0, 1, 1, 2, 0, 1, 1]),
        (.error, [0, 1, 1, 2, nil, nil, nil]), (.followWrites, [0, 1, 1, 2, 2, 2, 2]),
    ])
    func equalRequestsGetTheRecordedOrderThenThePolicy(policy: PlaybackPolicy, expected: [Int?]) {
        var cursor = Cursor()
        #expect(played(7, plain(1, 2, 1), policy, &cursor) == expected)
    }

    @Test func anAnswerGivenBackIsTheNextOne() {
        var cursor = Cursor()
        let sequence = plain(1, 1, 1)
        let first = cursor.take(sequence, .repeatLast)
        let second = cursor.take(sequence, .repeatLast)
        #expect(second.step == .play(1, again: false))
        cursor.giveBack(first.place)
        cursor.giveBack(first.place)
        #expect(played(2, sequence, .repeatLast, &cursor) == [0, 2])
        cursor.giveBack(second.place)
        #expect(played(2, sequence, .repeatLast, &cursor) == [1, 2])
    }

    @Test func whatWasUsedUpStaysSo() {
        var cursor = Cursor()
        let sequence = plain(1)
        #expect(played(3, sequence, .error, &cursor) == [0, nil, nil])
        #expect(cursor.take(sequence, .error).step == .usedUp(times: 1))
    }

    @Test func peekingTakesNothing() {
        var cursor = Cursor()
        let sequence = plain(1, 1)
        #expect(cursor.peek(sequence) == 0)
        #expect(cursor.peek(sequence) == 0)
        #expect(played(1, sequence, .error, &cursor) == [0])
    }

    /// List, create, list: right however often the client refreshes.
    @Test func answersFollowTheWritesOfTheSession() {
        var cursor = Cursor()
        let sequence = sequence([(1, 0), (1, 1), (1, 3)])
        #expect(played(3, sequence, .followWrites, &cursor) == [0, 0, 0])
        #expect(played(2, sequence, .followWrites, &cursor, writes: 1) == [1, 1])
        #expect(played(1, sequence, .followWrites, &cursor, writes: 2) == [1])
        #expect(played(2, sequence, .followWrites, &cursor, writes: 3) == [2, 2])
        #expect(played(1, sequence, .followWrites, &cursor, writes: 9) == [2])
    }

    @Test func pollingBetweenWritesKeepsItsOrder() {
        var cursor = Cursor()
        let sequence = sequence([(2, 1), (1, 1), (1, 2)])
        #expect(
            played(4, sequence, .followWrites, &cursor) == [0, 0, 1, 1], "asked before the write it was recorded after")
        #expect(played(4, sequence, .followWrites, &cursor, writes: 1) == [1, 1, 1, 1])
        #expect(played(1, sequence, .followWrites, &cursor, writes: 2) == [2])
    }

    @Test func givingBackAfterAWriteChangesNothing() {
        var cursor = Cursor()
        let sequence = sequence([(1, 0), (1, 1), (1, 1)])
        let old = cursor.take(sequence, .followWrites)
        #expect(played(1, sequence, .followWrites, &cursor, writes: 1) == [1])
        cursor.giveBack(old.place)
        #expect(played(1, sequence, .followWrites, &cursor, writes: 1) == [2])
    }
}
