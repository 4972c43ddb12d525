/// How much of a message's framing is held in memory before it is refused.
package struct HeadLimits: Sendable, Equatable {
    /// Octets of a method; a longer one is 501 (RFC 9112 §3). The longest registered one has 17.
    package var method = 64
    /// Octets of a request target; a longer one is 414.
    package var target = 65_536
    /// Octets of all field lines, line ends included; more are 431. Holds for trailers too.
    package var head = 65_536
    /// Field lines; more are 431. Holds for trailers too.
    package var fields = 200
    /// Empty lines before a request line that are skipped (RFC 9112 §2.2 asks for one at least).
    package var emptyLines = 8
    /// Octets of a chunk's size and extensions. Signed uploads to object stores use about 90 for each chunk.
    package var chunkLine = 4_096

    package init() {}

    package init(target: Int, head: Int, fields: Int) {
        self.target = target
        self.head = head
        self.fields = fields
    }

    /// For an upstream's response: backends are not hostile by default, and what they send should reach the client.
    package static var response: HeadLimits { HeadLimits(target: 65_536, head: 1 << 20, fields: 5_000) }
}
