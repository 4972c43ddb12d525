import SystemIO
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct ChildProcessTests {
    @Test(arguments: [0, 1, 42, 255] as [Int32])
    func tellsTheExitCode(code: Int32) async throws {
        let child = try ChildProcess.spawn(["sh", "-c", "exit \(code)"], environment: [:])
        #expect(await child.wait() == .code(code))
        #expect(await child.wait().status == code)
    }

    @Test(arguments: [SIGTERM, SIGKILL, SIGINT])
    func tellsTheSignal(signal: Int32) async throws {
        let child = try ChildProcess.spawn(["sleep", "600"], environment: [:])
        async let first = child.wait()
        async let second = child.wait()
        child.signal(signal)
        #expect(await first == .signal(signal))
        #expect(await second == .signal(signal))
        #expect(ChildProcess.Exit.signal(signal).status == 128 + signal)
        child.signal(signal)
    }

    @Test func saysThatAProgramIsMissing() {
        #expect(throws: SystemError(call: "posix_spawn", path: "no-such-program", errno: ENOENT)) {
            _ = try ChildProcess.spawn(["no-such-program"], environment: [:])
        }
    }

    @Test func refusesArgumentsThatCWouldCut() {
        #expect(throws: SystemError(call: "posix_spawn", path: "a\0b", errno: EINVAL)) {
            _ = try ChildProcess.spawn(["echo", "a\0b"], environment: [:])
        }
        #expect(throws: SystemError(call: "posix_spawn", errno: EINVAL)) {
            _ = try ChildProcess.spawn([], environment: [:])
        }
    }

    @Test func givesExactlyTheEnvironment() async throws {
        let text = try await output(of: ["env"], environment: ["B": "2 = two", "A": "", "Ä": "ö"])
        #expect(text == "A=\nB=2 = two\nÄ=ö\n")
    }

    @Test func startsInTheFolder() async throws {
        let folder = try TemporaryDirectory()
        #expect(try await output(of: ["pwd", "-P"], directory: folder.path) == folder.path + "\n")
        #expect(throws: SystemError.self) {
            _ = try ChildProcess.spawn(["pwd"], environment: [:], directory: folder.file("none"))
        }
    }

    /// A shell leaves a signal that was blocked or ignored when it began as it is, and then survives it.
    @Test func leavesNoSignalBlockedOrIgnored() async throws {
        Signals.ignoreBrokenPipes()
        let ignored = try ChildProcess.spawn(["sh", "-c", "kill -PIPE $$; exit 0"], environment: [:])
        #expect(await ignored.wait() == .signal(SIGPIPE))
        #expect(await (try spawnWithTermBlocked(["sh", "-c", "kill -TERM $$; exit 0"])).wait() == .signal(SIGTERM))
    }

    private func spawnWithTermBlocked(_ arguments: [String]) throws -> ChildProcess {
        var (set, old) = (sigset_t(), sigset_t())
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &set, &old)
        defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
        return try ChildProcess.spawn(arguments, environment: [:])
    }

    @Test func handsOverNoOtherDescriptor() async throws {
        let folder = try TemporaryDirectory()
        let file = try Descriptor.open(folder.file("open"), O_RDWR | O_CREAT, mode: 0o600)
        let text = try await output(of: ["ls", "-l", "/proc/self/fd"])
        #expect(!text.contains(folder.path))
        try file.closeChecked()
    }

    @Test(arguments: [true, false])
    func handsOverOthersOnlyIfAsked(inherits: Bool) async throws {
        let null = open("/dev/null", O_RDONLY)
        defer { close(null) }
        // The shell can't read from a descriptor that it does not have.
        let child = try ChildProcess.spawn(
            ["bash", "-c", "exec 0<&\(null)"], environment: [:],
            streams: .init(error: null, inheritsOthers: inherits))
        #expect(await child.wait() == .code(inherits ? 0 : 1))
    }

    private func output(
        of arguments: [String], environment: [String: String] = [:], directory: String? = nil
    ) async throws -> String {
        let folder = try TemporaryDirectory()
        let path = folder.file("output")
        let number = try Descriptor.open(path, O_WRONLY | O_CREAT, mode: 0o600).release()
        defer { close(number) }
        let child = try ChildProcess.spawn(
            arguments, environment: environment, directory: directory, streams: .init(output: number))
        #expect(await child.wait() == .code(0))
        return String(decoding: try Files.read(path), as: UTF8.self)
    }
}
