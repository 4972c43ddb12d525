import Testing

@testable import TapedeckCLI

@Suite struct RunMachineTests {
    private static let interrupt: Int32 = 2
    private static let terminate: Int32 = 15

    private func machine(hasCommand: Bool) -> RunMachine {
        RunMachine(hasCommand: hasCommand, terminate: Self.terminate)
    }

    @Test func drainsAtASignalAndEndsWithTheVerdict() {
        for (passed, status) in [(true, Int32(0)), (false, 1)] {
            var machine = machine(hasCommand: false)
            #expect(machine.handle(.interrupted(signal: Self.interrupt)) == [.drain])
            #expect(machine.handle(.drained(passed: passed)) == [.end(status: status)])
        }
    }

    @Test func signalGoesToTheCommandFirst() {
        var machine = machine(hasCommand: true)
        #expect(machine.handle(.interrupted(signal: Self.interrupt)) == [.signalCommand(Self.interrupt)])
        #expect(machine.handle(.commandEnded(status: 130)) == [.drain])
        #expect(machine.handle(.drained(passed: true)) == [.end(status: 130)])
    }

    @Test func secondSignalLeavesAMomentToWrite() {
        var slow = machine(hasCommand: false)
        #expect(slow.handle(.interrupted(signal: Self.interrupt)) == [.drain])
        #expect(slow.handle(.interrupted(signal: Self.terminate)) == [.awaitMoment])
        #expect(slow.handle(.momentOver) == [.end(status: 143)])
        var quick = machine(hasCommand: false)
        _ = quick.handle(.interrupted(signal: Self.interrupt))
        _ = quick.handle(.interrupted(signal: Self.interrupt))
        #expect(quick.handle(.drained(passed: true)) == [.end(status: 0)])
    }

    @Test func secondSignalWaitsForNoCommand() {
        var machine = machine(hasCommand: true)
        #expect(machine.handle(.interrupted(signal: Self.interrupt)) == [.signalCommand(Self.interrupt)])
        let again: [RunMachine.Action] = [.signalCommand(Self.interrupt), .drain, .awaitMoment]
        #expect(machine.handle(.interrupted(signal: Self.interrupt)) == again)
    }

    @Test func thirdSignalEndsAtOnce() {
        var machine = machine(hasCommand: false)
        for _ in 0..<2 { _ = machine.handle(.interrupted(signal: Self.interrupt)) }
        #expect(machine.handle(.interrupted(signal: Self.terminate)) == [.end(status: 143)])
    }

    @Test(arguments: [(Int32(0), true, Int32(0)), (0, false, 1), (7, true, 7), (7, false, 7), (127, true, 127)])
    func failureOfTheCommandWinsOverTheVerdict(command: Int32, passed: Bool, expected: Int32) {
        var machine = machine(hasCommand: true)
        #expect(machine.handle(.commandEnded(status: command)) == [.drain])
        #expect(machine.handle(.drained(passed: passed)) == [.end(status: expected)])
    }

    @Test func requestToStopEndsTheCommandAndDrainsOnce() {
        var machine = machine(hasCommand: true)
        #expect(machine.handle(.stopRequested) == [.signalCommand(Self.terminate)])
        #expect(machine.handle(.stopRequested).isEmpty)
        #expect(machine.handle(.commandEnded(status: 0)) == [.drain])
        #expect(machine.handle(.stopRequested).isEmpty)
    }

    @Test func firstSignalAfterARequestToStopStillGoesToTheCommand() {
        var machine = machine(hasCommand: true)
        _ = machine.handle(.stopRequested)
        #expect(machine.handle(.interrupted(signal: Self.interrupt)) == [.signalCommand(Self.interrupt)])
    }

    @Test func reloadsUntilItDrains() {
        var machine = machine(hasCommand: false)
        #expect(machine.handle(.hungUp) == [.reload])
        _ = machine.handle(.interrupted(signal: Self.interrupt))
        #expect(machine.handle(.hungUp).isEmpty)
    }

    @Test func aCommandThatWillNotEndIsKilledByASecondSignal() {
        var machine = RunMachine(hasCommand: true, terminate: 15)
        #expect(machine.handle(.interrupted(signal: 15)) == [.signalCommand(15)])
        #expect(machine.handle(.interrupted(signal: 15)) == [.signalCommand(15), .drain, .awaitMoment])
        #expect(machine.handle(.drained(passed: true)) == [.signalCommand(9), .end(status: 143)])
    }
}
