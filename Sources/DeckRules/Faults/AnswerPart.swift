/// How much of an answer the client sees before a fault ends it.
///
/// With the three ends of a connection (`stall` holds it, `truncatedBody` closes it, `connectionReset` resets it) these make
/// the whole grid of partial answers. A part of the head is not among them: some clients crash on it.
package enum AnswerPart: String, CaseIterable, Sendable, Hashable {
    /// Not one octet.
    case nothing
    /// The head with the whole body's length, and no body.
    case head
    /// The head and the first half of the body.
    case half
    /// All but the last octet.
    case allButEnd
}
