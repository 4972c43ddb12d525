#if os(macOS) || os(Linux)
    import Dispatch

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif
    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// Starts the program and waits for its ready file; blocks.
    struct Launch: Sendable {
        /// What the ready file says.
        struct Ready: Codable, Sendable, Equatable {
            var proxy: String
            var control: String
            var pid: Int32
        }

        let program: String
        let arguments: [String]
        let environment: [String: String]

        func run(_ timeout: Duration) throws(TapedeckError) -> Ready {
            let folder = try makeFolder()
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let readyFile = folder + "/ready.json"
            let pid = try spawn(readyFile)
            let deadline = Deadline(after: timeout)
            while deadline.remainingMilliseconds > 0 {
                if let octets = try? Data(contentsOf: URL(filePath: readyFile)),
                    let ready = try? JSONDecoder().decode(Ready.self, from: octets)
                {
                    return ready
                }
                if waitpid(pid, nil, WNOHANG) == pid {
                    throw TapedeckError(
                        .launchFailed, "\(program) ended before it was ready",
                        advice: "its own words are on standard error")
                }
                _ = poll(nil, 0, 5)
            }
            kill(pid, SIGKILL)
            Launch.reap(pid)
            throw TapedeckError(.timedOut, "\(program) was not ready in time")
        }

        /// Asks a child to end, and lets it go; returns at once.
        static func end(_ pid: Int32) {
            kill(pid, SIGTERM)
            DispatchQueue.global().async { reap(pid) }
        }

        /// Waits for a child that has ended or is about to.
        static func reap(_ pid: Int32) {
            var status: Int32 = 0
            while waitpid(pid, &status, 0) == -1, SocketCall.wasInterrupted {}
        }

        private func makeFolder() throws(TapedeckError) -> String {
            let parent = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
            var template = Array((parent + "/tapedeck-XXXXXX").utf8CString)
            guard mkdtemp(&template) != nil else {
                throw TapedeckError(.launchFailed, "no folder can be made in \(parent)", advice: "set TMPDIR")
            }
            return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        private func spawn(_ readyFile: String) throws(TapedeckError) -> Int32 {
            let split = arguments.firstIndex(of: "--") ?? arguments.endIndex
            let added = ["--listen", "localhost:0", "--control", "localhost:0", "--ready-file", readyFile]
            let words = [program] + arguments[..<split] + added + arguments[split...]
            var argv = words.map { strdup($0) } + [nil]
            var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
            defer {
                argv.forEach { free($0) }
                envp.forEach { free($0) }
            }
            var pid: pid_t = 0
            guard posix_spawnp(&pid, program, nil, nil, &argv, &envp) == 0 else {
                throw TapedeckError(
                    .launchFailed, "\(program) cannot be started", advice: "give the path of the tapedeck program")
            }
            return pid
        }
    }
#endif
