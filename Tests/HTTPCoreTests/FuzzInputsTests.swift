import FuzzTargets
import HTTPCore
import SystemIO
import Testing

/// Replays every seed of the fuzzers and every input that ever failed. A claim that no longer holds stops the process
/// with its message, as it stops the fuzzer.
@Suite struct FuzzInputsTests {
    private static let entries: [(String, @Sendable (Bytes) -> Void)] = [
        ("RequestHead", fuzzRequestHead), ("ChunkedBody", fuzzChunkedBody), ("TargetAndQuery", fuzzTargetAndQuery),
        ("ResponseHead", fuzzResponseHead), ("JSONText", fuzzJSONText), ("CassetteFile", fuzzCassetteFile),
        ("Configuration", fuzzConfiguration),
    ]

    private static let folder = #filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" } + "/Fuzz"

    @Test(arguments: entries)
    func everyKnownInputPasses(name: String, entry: @Sendable (Bytes) -> Void) throws {
        let seeds = try Files.list("\(Self.folder)/Corpus/\(name)")
        #expect(!seeds.isEmpty)
        for seed in seeds { entry(try Files.read("\(Self.folder)/Corpus/\(name)/\(seed)")) }
        for input in try Files.list("\(Self.folder)/Regressions/\(name)") {
            entry(try Files.read("\(Self.folder)/Regressions/\(name)/\(input)"))
        }
    }
}
