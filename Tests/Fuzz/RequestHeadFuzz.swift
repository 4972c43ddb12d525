package import HTTPCore

/// Parses the input as a request head, whole and octet by octet. Both ways must come to the same end, and a head that
/// was taken must be read alike after it was written.
package func fuzzRequestHead(_ input: Bytes) {
    var limits = HeadLimits(target: 64, head: 256, fields: 8)
    limits.method = 16
    limits.emptyLines = 2
    let whole = headOutcome(input, limits, step: max(1, input.count))
    precondition(whole == headOutcome(input, limits, step: 1), "the outcome depends on how the input was cut")
    guard case .head(let head, let consumed) = whole else { return }
    precondition(consumed <= input.count)
    precondition(!head.method.isEmpty && !head.target.isEmpty && head.target.count <= limits.target)
    precondition(head.fields.count <= limits.fields)
    let written = Serializer.requestHead(head)
    var parser = RequestHeadParser(limits: HeadLimits())
    let again = try? parser.parse(written, from: 0, to: written.count)
    precondition(again?.head == head && again?.consumed == written.count, "a written head is read otherwise")
    if let target = try? RequestTarget.parse(head.target, method: head.method) {
        _ = try? validateHost(head, target: target)
    }
    if let framing = try? requestFraming(head) {
        precondition(framing != .untilClose, "a request can't end with its connection")
    }
    _ = removeHopByHop(head.fields, keepTE: true)
}

private enum HeadOutcome: Equatable {
    case needMore
    case refused
    case head(RequestHead, consumed: Int)
}

private func headOutcome(_ input: Bytes, _ limits: HeadLimits, step: Int) -> HeadOutcome {
    var parser = RequestHeadParser(limits: limits)
    var end = 0
    repeat {
        end = min(end + step, input.count)
        do throws(ParseError) {
            if let (head, consumed) = try parser.parse(input, from: 0, to: end) {
                return .head(head, consumed: consumed)
            }
        } catch { return .refused }
    } while end < input.count
    return .needMore
}
