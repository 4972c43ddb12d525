/// Where words go: results to one stream, logs and progress to the other.
package struct Console: Sendable {
    private let writeOut: @Sendable ([UInt8]) -> Void
    private let writeError: @Sendable ([UInt8]) -> Void
    /// Whether results may carry color.
    package let outHasColor: Bool
    /// Whether logs and progress may carry color.
    package let errorHasColor: Bool

    package init(
        outHasColor: Bool, errorHasColor: Bool, writeOut: @escaping @Sendable ([UInt8]) -> Void,
        writeError: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.outHasColor = outHasColor
        self.errorHasColor = errorHasColor
        self.writeOut = writeOut
        self.writeError = writeError
    }

    /// Writes a line of a result.
    package func out(_ line: String) {
        writeOut(Array(line.utf8) + [UInt8(ascii: "\n")])
    }

    /// Writes a result's octets as they are.
    package func out(octets: [UInt8]) {
        writeOut(octets)
    }

    /// Writes a line of log or progress.
    package func note(_ line: String) {
        writeError(Array(line.utf8) + [UInt8(ascii: "\n")])
    }

    /// A console whose results go where logs go: for runs in which stdout belongs to another program.
    package var redirectedToError: Console {
        Console(
            outHasColor: errorHasColor, errorHasColor: errorHasColor, writeOut: writeError, writeError: writeError)
    }
}
