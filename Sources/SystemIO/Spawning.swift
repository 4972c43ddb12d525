import CShims

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension ChildProcess {
    /// Descriptors of this program that stand for the child's standard streams; nil lets it have ours.
    package struct Streams: Sendable {
        package var input: Int32?
        package var output: Int32?
        package var error: Int32?
        /// Whether the child also has what we were started with beyond these three. All that we open is close-on-exec.
        package var inheritsOthers: Bool

        package init(input: Int32? = nil, output: Int32? = nil, error: Int32? = nil, inheritsOthers: Bool = true) {
            self.input = input
            self.output = output
            self.error = error
            self.inheritsOthers = inheritsOthers
        }
    }
}

/// The C side of starting a program.
enum Spawning {
    #if canImport(Darwin)
        private typealias Attributes = posix_spawnattr_t?
        private typealias Actions = posix_spawn_file_actions_t?
    #else
        private typealias Attributes = posix_spawnattr_t
        private typealias Actions = posix_spawn_file_actions_t
    #endif

    /// Starts a program and returns its process id.
    static func start(
        _ arguments: [String], _ environment: [String: String], _ directory: String?, _ streams: ChildProcess.Streams
    ) throws(SystemError) -> Int32 {
        guard let program = arguments.first else { throw SystemError(call: "posix_spawn", errno: EINVAL) }
        let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        for text in arguments + variables { try SystemCall.checkPath(text, for: "posix_spawn") }
        // Were it ignored, the system would forget how children ended.
        _ = signal(SIGCHLD, SIG_DFL)

        var attributes = try makeAttributes(streams)
        defer { posix_spawnattr_destroy(&attributes) }
        var actions = try makeActions(directory, streams)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let argv = CStrings(arguments)
        let envp = CStrings(variables)
        var pid: pid_t = 0
        try SystemCall.coded("posix_spawn", program) {
            posix_spawnp(&pid, program, &actions, &attributes, argv.pointer, envp.pointer)
        }
        return pid
    }

    /// No signal blocked and every one with its default action, whatever is so here.
    private static func makeAttributes(_ streams: ChildProcess.Streams) throws(SystemError) -> Attributes {
        #if canImport(Darwin)
            var attributes: Attributes
        #else
            var attributes = Attributes()
        #endif
        try SystemCall.coded("posix_spawnattr_init") { posix_spawnattr_init(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        #if canImport(Darwin)
            if !streams.inheritsOthers { flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT) }
        #endif
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        return attributes
    }

    private static func makeActions(
        _ directory: String?, _ streams: ChildProcess.Streams
    ) throws(SystemError) -> Actions {
        #if canImport(Darwin)
            var actions: Actions
        #else
            var actions = Actions()
        #endif
        try SystemCall.coded("posix_spawn_file_actions_init") { posix_spawn_file_actions_init(&actions) }
        do throws(SystemError) {
            for (number, given) in [(STDIN_FILENO, streams.input), (1, streams.output), (2, streams.error)] {
                if let given {
                    try SystemCall.coded("posix_spawn_file_actions_adddup2") {
                        posix_spawn_file_actions_adddup2(&actions, given, number)
                    }
                } else {
                    #if canImport(Darwin)
                        posix_spawn_file_actions_addinherit_np(&actions, number)
                    #endif
                }
            }
            #if !canImport(Darwin)
                if !streams.inheritsOthers {
                    try SystemCall.coded("posix_spawn_file_actions_addclosefrom_np") {
                        tapedeck_spawn_close_from(&actions, 3)
                    }
                }
            #endif
            if let directory {
                try SystemCall.checkPath(directory, for: "chdir")
                try SystemCall.coded("posix_spawn_file_actions_addchdir_np", directory) {
                    tapedeck_spawn_in(&actions, directory)
                }
            }
        } catch {
            posix_spawn_file_actions_destroy(&actions)
            throw error
        }
        return actions
    }
}

/// A null-terminated array of C strings, for as long as this object lives.
private struct CStrings: ~Copyable {
    let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ strings: [String]) {
        count = strings.count
        pointer = .allocate(capacity: count + 1)
        for (index, string) in strings.enumerated() { (pointer + index).initialize(to: strdup(string)) }
        (pointer + count).initialize(to: nil)
    }

    deinit {
        for index in 0..<count { free(pointer[index]) }
        pointer.deallocate()
    }
}
