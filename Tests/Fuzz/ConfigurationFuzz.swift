import DeckEngine
package import HTTPCore

/// Reads the input as a configuration. It must be taken, or refused with words and a place within the text.
package func fuzzConfiguration(_ input: Bytes) {
    do throws(ConfigurationError) {
        _ = try Configuration.parse(input, file: "tapedeck.json") { _ in nil }
    } catch {
        precondition(!error.problems.isEmpty, "refused without a reason")
        let lines = input.count { $0 == UInt8(ascii: "\n") } + 1
        for problem in error.problems {
            precondition(!problem.message.isEmpty, "a problem without words")
            precondition((1...lines).contains(problem.line), "a problem beyond the text")
        }
    }
}
