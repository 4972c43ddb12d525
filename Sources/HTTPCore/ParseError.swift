/// What is wrong with a message from the wire, and where.
///
/// Messages name fields and give the length of values, never a value: a value may be a secret.
package struct ParseError: Error, Sendable, Equatable {
    /// The status that answers it: 400, 414, 431, 501 or 505 to a client; 502 where an upstream's head is at fault. The
    /// body decoder serves both sides and says 400.
    package var status: Int
    /// One fixed word for metrics and filters, without variable parts.
    package var label: String
    /// What happened, for people.
    package var message: String
    /// How many octets into the parsed part the fault lies.
    package var offset: Int

    package init(status: Int, label: String, message: String, offset: Int) {
        self.status = status
        self.label = label
        self.message = message
        self.offset = offset
    }

    /// A fault of the syntax or of the framing: 400.
    static func malformed(_ label: String, _ message: String, at offset: Int) -> ParseError {
        ParseError(status: 400, label: label, message: message, offset: offset)
    }

    /// The same fault, blamed on the upstream.
    var fromUpstream: ParseError {
        ParseError(status: 502, label: label, message: message, offset: offset)
    }

    /// The same fault, `octets` further on.
    func moved(by octets: Int) -> ParseError {
        ParseError(status: status, label: label, message: message, offset: offset + octets)
    }
}
