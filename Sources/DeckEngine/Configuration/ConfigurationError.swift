/// Everything that is wrong with a configuration, found in one go.
package struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// At least one, in the order of the file.
    package var problems: [ConfigurationProblem]

    package init(_ problems: [ConfigurationProblem]) {
        self.problems = problems
    }

    /// One line for each problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// One thing that is wrong: where, what, and what to do.
///
/// Names, patterns and numbers are shown as written; values that may be secret by their length only.
package struct ConfigurationProblem: Sendable, Equatable, CustomStringConvertible {
    /// The configuration's path as given.
    package var file: String
    /// From 1; 0 where the file could not be read at all.
    package var line: Int
    /// In octets, from 1; 0 where the file could not be read at all.
    package var column: Int
    /// The JSON path, as `$.routes.login.match`; nil where there is none.
    package var path: String?
    /// One sentence without a final period.
    package var message: String
    /// What to do next; may be empty.
    package var advice: String

    package init(
        file: String, line: Int = 0, column: Int = 0, path: String? = nil, message: String, advice: String = ""
    ) {
        self.file = file
        self.line = line
        self.column = column
        self.path = path
        self.message = message
        self.advice = advice
    }

    /// `tapedeck.json:12:7: $.routes.login: what is wrong; what to do`.
    package var description: String {
        let place = line > 0 ? "\(file):\(line):\(column)" : file
        let sentence = advice.isEmpty ? message : "\(message); \(advice)"
        return path.map { "\(place): \($0): \(sentence)" } ?? "\(place): \(sentence)"
    }
}
