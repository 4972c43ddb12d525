import DeckEngine
import SystemIO
import Testing

@testable import TapedeckCLI

@Suite struct LogWriterTests {
    private let clock = WallClock { 1_796_068_862_345 }
    private let event = LogEvent(
        .warning, "a miss", [(name: "route", value: "login"), (name: "why", value: "a \"b\"")])

    private func written(_ event: LogEvent, _ form: LogForm, quiet: Bool = false) -> String {
        let program = TestProgram()
        LogWriter(console: program.console, form: form, quiet: quiet, clock: clock).write(event)
        #expect(program.out.isEmpty)
        return program.error
    }

    @Test func writesTextForPeople() {
        #expect(written(event, .text) == "20:01:02 warning: a miss route=login why=\"a \\\"b\\\"\"\n")
        #expect(written(LogEvent(.info, "ready"), .text) == "20:01:02 ready\n")
    }

    @Test func writesAnObjectALineForMachines() {
        let line =
            #"{"time":"2026-11-30T20:01:02.345Z","level":"warning","message":"a miss","route":"login","why":"a \"b\""}"#
        #expect(written(event, .json) == line + "\n")
    }

    @Test func quietKeepsWarnings() {
        #expect(written(LogEvent(.info, "ready"), .text, quiet: true).isEmpty)
        #expect(!written(event, .text, quiet: true).isEmpty)
    }
}
