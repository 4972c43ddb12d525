/// A defect in a file of ours, with the place and what to do about it.
///
/// The message names keys and kinds, never the values found there, since those may be secret.
package struct FormatError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file's path; nil where text without a file was read.
    package var file: String?
    /// The line, from 1; 0 where the defect has no place in the text.
    package var line: Int
    /// The column in octets, from 1; 0 where the defect has no place in the text.
    package var column: Int
    /// The JSON path of the value concerned, for example `$.response.status`.
    package var path: String?
    /// What is wrong.
    package var message: String
    /// What to do about it; may be empty.
    package var advice: String

    package init(
        file: String? = nil, line: Int = 0, column: Int = 0, path: String? = nil, message: String, advice: String = ""
    ) {
        self.file = file
        self.line = line
        self.column = column
        self.path = path
        self.message = message
        self.advice = advice
    }

    /// `FILE:LINE:COLUMN: message at $.path. advice`
    package var description: String {
        var text = file ?? ""
        if line > 0 { text += text.isEmpty ? "line \(line), column \(column)" : ":\(line):\(column)" }
        if !text.isEmpty { text += ": " }
        text += message
        if let path, path != "$" { text += " at \(path)" }
        return advice.isEmpty ? text : "\(text). \(advice)"
    }
}
