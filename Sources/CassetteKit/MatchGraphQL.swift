/// GraphQL documents, for match keys (GraphQL specification §2.1).
enum MatchGraphQL {
    /// Whether text begins as a document does: with `{` or a definition's word.
    static func isDocument(_ text: [UInt8]) -> Bool {
        let folded = text.count > 4096 ? self.folded(Array(text.prefix(4096))) : self.folded(text)
        if folded.first == UInt8(ascii: "{") { return true }
        for word in ["query", "mutation", "subscription", "fragment"] where folded.starts(with: word.utf8) {
            guard folded.count > word.utf8.count else { return false }
            return folded.contains(UInt8(ascii: "{")) || folded.count >= 4096
        }
        return false
    }

    /// The SHA-256 of a document as persisted queries name it: 64 hexadecimal digits.
    static func hash(_ document: [UInt8]) -> [UInt8] {
        let digest = document.withUnsafeBufferPointer { SHA256.digest($0) }
        return digest.flatMap { Array((($0 < 16 ? "0" : "") + String($0, radix: 16)).utf8) }
    }

    /// The document without what means nothing: white space, commas and comments between tokens. Strings stay as they
    /// are. One space stays where two tokens would run together.
    static func folded(_ text: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(text.count)
        var isGap = false
        var at = 0
        while at < text.count {
            let octet = text[at]
            switch octet {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","):
                isGap = true
                at += 1
            case UInt8(ascii: "#"):
                isGap = true
                while at < text.count, text[at] != 0x0A, text[at] != 0x0D { at += 1 }
            case UInt8(ascii: "\""):
                gap(&isGap, &out, before: octet)
                let end = stringEnd(text, at)
                out.append(contentsOf: text[at..<end])
                at = end
            default:
                gap(&isGap, &out, before: octet)
                out.append(octet)
                at += 1
            }
        }
        return out
    }

    private static func gap(_ isGap: inout Bool, _ out: inout [UInt8], before octet: UInt8) {
        if isGap, let last = out.last, !isPunctuator(last), !isPunctuator(octet) { out.append(0x20) }
        isGap = false
    }

    private static func isPunctuator(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "|"),
            UInt8(ascii: "&"), UInt8(ascii: "@"), UInt8(ascii: "$"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// The offset behind the string that begins at `start`; a block string ends with three quotation marks.
    private static func stringEnd(_ text: [UInt8], _ start: Int) -> Int {
        let quote = UInt8(ascii: "\"")
        func isTriple(_ at: Int) -> Bool {
            at + 2 < text.count && text[at] == quote && text[at + 1] == quote && text[at + 2] == quote
        }
        var at = start + 1
        if isTriple(start) {
            at = start + 3
            while at < text.count {
                if text[at] == UInt8(ascii: "\\"), isTriple(at + 1) {
                    at += 4
                } else if isTriple(at) {
                    return at + 3
                } else {
                    at += 1
                }
            }
            return text.count
        }
        while at < text.count, text[at] != quote, text[at] != 0x0A { at += text[at] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(at + 1, text.count)
    }
}
