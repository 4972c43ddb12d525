import Foundation
import SystemIO
import TestSupport

/// What a program left behind.
struct Finished: Sendable {
    var exit: ChildProcess.Exit
    var output: String
    var errors: String

    var status: Int32 { exit.status }
}

/// Programs of this machine and the built one, run for a test.
enum Program {
    /// The built `tapedeck`, beside the test program.
    static let tapedeck: String = {
        let own =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return (own as NSString).deletingLastPathComponent + "/tapedeck"
    }()

    /// This process's environment without what would change how programs under test behave.
    static func environment(_ more: [String: String] = [:]) -> [String: String] {
        ProcessInfo.processInfo.environment
            .filter { !$0.key.lowercased().hasSuffix("_proxy") && !$0.key.hasPrefix("TAPEDECK_") && $0.key != "CI" }
            .merging(more) { $1 }
    }

    /// Runs a program to its end; its output goes through files in `folder`.
    static func run(
        _ arguments: [String], in folder: TemporaryDirectory, environment more: [String: String] = [:]
    ) async throws -> Finished {
        let started = try start(arguments, in: folder, environment: more)
        return try await started.finish()
    }

    /// Runs the built program.
    static func tapedeck(
        _ arguments: [String], in folder: TemporaryDirectory, environment more: [String: String] = [:]
    ) async throws -> Finished {
        try await run([tapedeck] + arguments, in: folder, environment: more)
    }

    /// Starts a program that goes on beside the test.
    static func start(
        _ arguments: [String], in folder: TemporaryDirectory, environment more: [String: String] = [:]
    ) throws -> Started {
        let name = "\(folder.path)/output-\(UUID().uuidString)"
        let output = open(name + ".out", O_CREAT | O_RDWR | O_APPEND, 0o600)
        let errors = open(name + ".err", O_CREAT | O_RDWR | O_APPEND, 0o600)
        let null = open("/dev/null", O_RDONLY)
        defer { [output, errors, null].forEach { close($0) } }
        let child = try ChildProcess.spawn(
            arguments, environment: environment(more), directory: folder.path,
            streams: .init(input: null, output: output, error: errors, inheritsOthers: false))
        return Started(child: child, name: name)
    }

    /// A program that was started.
    struct Started: Sendable {
        let child: ChildProcess
        let name: String

        func finish() async throws -> Finished {
            let exit = await child.wait()
            return Finished(exit: exit, output: try text(".out"), errors: try text(".err"))
        }

        private func text(_ end: String) throws -> String {
            String(decoding: try Files.read(name + end), as: UTF8.self)
        }
    }
}
