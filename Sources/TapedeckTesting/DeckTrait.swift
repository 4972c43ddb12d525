#if os(macOS) || os(Linux)
    import ControlAPI
    public import TapedeckClient
    public import Testing

    /// Gives a test, or each test of a suite, a deck of its own, and holds the test to the deck's verdict.
    ///
    /// The deck runs in a process of its own on free ports; the test finds it in `DeckTrait.current`. When the test ends the
    /// deck is stopped, and what its verdict found (under `--strict`) is recorded as issues of the test.
    public struct DeckTrait: TestTrait, SuiteTrait, TestScoping {
        /// The deck of the running test; nil outside of a test with this trait.
        @TaskLocal public static var current: DeckProcess?

        /// The program's path, or its name to be found in `PATH`.
        public var program: String
        /// The command with its options, such as `["replay", "--strict", "cassettes/checkout"]`.
        public var arguments: [String]

        /// Each test of a suite gets a deck of its own.
        public var isRecursive: Bool { true }

        /// Launches the deck, runs the test, stops the deck.
        ///
        /// - Throws: `TapedeckError` where the deck does not start or stop; what the test throws.
        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
        ) async throws {
            let deck = try await DeckProcess.launch(program, arguments)
            try await Self.$current.withValue(deck) { try await function() }
            for failure in try await deck.stop().failures { Issue.record("tapedeck: \(failure)") }
        }
    }

    extension Trait where Self == DeckTrait {
        /// A deck for the test.
        ///
        /// - Parameters:
        ///   - arguments: the command with its options; addresses and ready file are added.
        ///   - program: the program's path, or its name to be found in `PATH`.
        public static func deck(_ arguments: String..., program: String = "tapedeck") -> DeckTrait {
            DeckTrait(program: program, arguments: arguments)
        }
    }
#endif
