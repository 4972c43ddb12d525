import Foundation
import SystemIO
import TestSupport
import Testing

/// What a recording leaves when it is killed: whole interactions only.
@Suite struct KillTests {
    /// `TAPEDECK_KILLS` sets how often; each time at another moment of the flow.
    @Test func aKilledRecordingLeavesACassetteThatLoads() async throws {
        let rounds = Int(ProcessInfo.processInfo.environment["TAPEDECK_KILLS"] ?? "") ?? 4
        let python = try PrintedPortServer.python()
        var generator = SeededGenerator(seed: 11)
        for round in 0..<rounds {
            let folder = try TemporaryDirectory()
            // The flow kills the deck after some exchanges, while another client keeps it busy.
            let after = Int.random(in: 0..<12, using: &generator)
            let flow = """
                (i=0; while [ $i -lt 60 ]; do curl -s -o /dev/null "$TAPEDECK_URL/bytes?b=$i"; i=$((i+1)); done) &
                i=0; while [ $i -lt \(after) ]; do curl -s -o /dev/null "$TAPEDECK_URL/echo/$i" -d "n=$i"; i=$((i+1)); done
                kill -KILL $PPID; wait
                """
            _ = try await Program.tapedeck(
                [
                    "record", "--listen", "127.0.0.1:0", "--control", "off", "--upstream", python.url, "c", "--", "sh",
                    "-c", flow,
                ],
                in: folder)
            let listed = try await Program.tapedeck(["ls", "--json", "c"], in: folder)
            #expect(listed.status == 0, "round \(round): \(listed.errors)")
            let again = try await Program.tapedeck(
                [
                    "record", "--listen", "127.0.0.1:0", "--control", "off", "--upstream", python.url, "c", "--", "sh",
                    "-c",
                    "curl -s -o /dev/null $TAPEDECK_URL/counter",
                ], in: folder)
            #expect(again.status == 0, "round \(round): \(again.errors)")
        }
        await python.stop()
    }
}
