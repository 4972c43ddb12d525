import Foundation
import SystemIO
import TapedeckCLI
import TestSupport
import Testing

/// Runs the program inside the test and keeps what it writes.
final class TestProgram: Sendable {
    private let streams = Locked((out: [UInt8](), error: [UInt8]()))

    var out: String { streams.withLock { String(decoding: $0.out, as: UTF8.self) } }
    var outOctets: [UInt8] { streams.withLock { $0.out } }
    var error: String { streams.withLock { String(decoding: $0.error, as: UTF8.self) } }

    var console: Console {
        Console(
            outHasColor: false, errorHasColor: false,
            writeOut: { octets in self.streams.withLock { $0.out += octets } },
            writeError: { octets in self.streams.withLock { $0.error += octets } })
    }

    func run(_ arguments: String..., variables: [String: String] = [:]) async -> Int32 {
        await Program(console: console, variables: variables).run(arguments)
    }
}

/// Compares with a file in the folder `Golden` beside these tests.
func checkGolden(_ text: String, is file: String) throws {
    let updating = ProcessInfo.processInfo.environment["TAPEDECK_UPDATE_GOLDEN"] == "1"
    try Golden.check(text, is: file, beside: #filePath, updating: updating)
}

extension CommandSpec: CustomTestStringConvertible {
    public var testDescription: String { name }
}
