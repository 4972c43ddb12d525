import Codecs
import TestSupport

/// An answer that a client got, taken apart, and compared with what was recorded.
struct CorpusAnswer {
    var status = 0
    private(set) var body: [UInt8] = []
    private var coding: ContentCoding?

    init(_ octets: [UInt8]) {
        var rest = octets[...]
        repeat {
            guard let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
            let head = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
            rest = rest[end.upperBound...]
            status = Int(head.dropFirst(9).prefix(3)) ?? 0
            guard status >= 200 else { continue }
            let lines = head.split(separator: "\r\n").map { $0.lowercased() }
            let coded = lines.first { $0.hasPrefix("content-encoding:") }?.split(separator: " ").last
            coding = coded.flatMap { ContentCoding(token: String($0)) }
            body = lines.contains("transfer-encoding: chunked") ? Self.dechunked(rest) : Array(rest)
            return
        } while !rest.isEmpty
    }

    private static func dechunked(_ octets: ArraySlice<UInt8>) -> [UInt8] {
        var (rest, body): (ArraySlice<UInt8>, [UInt8]) = (octets, [])
        while let end = rest.firstRange(of: [13, 10]),
            let size = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16), size > 0
        {
            body += rest[end.upperBound...].prefix(size)
            rest = rest[end.upperBound...].dropFirst(size + 2)
        }
        return body
    }

    /// Whether the body is the recorded one but for what stands in secrets' places, in Base64 and content codings too.
    func isLike(_ recorded: [UInt8]) -> Bool {
        let (mine, other) = (Self.plain(body, coding), Self.plain(recorded, coding))
        if mine == Array("REDACTED-body".utf8) { return true }
        return Self.isLike(Self.opened(mine), Self.opened(other))
    }

    private static func plain(_ octets: [UInt8], _ coding: ContentCoding?) -> [UInt8] {
        var plain = octets
        // What is cut or has several members was stored as what could be read of it.
        let isFile = octets.starts(with: [0x1F, 0x8B])
        if let coding = coding ?? (isFile ? .gzip : nil) { plain = salvageContent(octets, coding)?.octets ?? octets }
        return plain.starts(with: [0xFF, 0xFE]) ? plain.dropFirst(2).filter { $0 != 0 } : plain
    }

    /// The text with every run of Base64 that holds text replaced by that text.
    private static func opened(_ octets: [UInt8]) -> [UInt8] {
        var (opened, at): ([UInt8], Int) = ([], 0)
        while at < octets.count {
            var end = at
            while end < octets.count, isBase64(octets[end]) { end += 1 }
            let decoded = end - at >= 16 ? base64Decoded(octets[at..<end]) : []
            let isText =
                !decoded.isEmpty && decoded.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
                && String(validating: decoded, as: UTF8.self) != nil
            opened += isText ? self.opened(decoded) : Array(octets[at..<max(end, at + 1)])
            at = max(end, at + 1)
        }
        return opened
    }

    private static func isBase64(_ octet: UInt8) -> Bool {
        octet &- 0x30 < 10 || (octet | 0x20) &- 0x61 < 26 || "+/-_=".utf8.contains(octet)
    }

    private static func latin(_ octets: [UInt8]) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: octets.lazy.map { Unicode.Scalar($0) })
        return String(scalars)
    }

    /// The pieces between placeholders stand in the other text, in order, the first and the last at its ends.
    private static func isLike(_ mine: [UInt8], _ other: [UInt8]) -> Bool {
        // Octet for octet, whether they are text or not.
        let text = latin(mine)
        let marker =
            /REDACTED-[A-Za-z0-9_.\-]+(@example\.invalid)?|REDACTED(REDACTED)*[REDACT]*|99\d{13}|eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0[A-Za-z0-9_.\-]*|\{"alg":"none","typ":"JWT"\}[^ ]*/
        let pieces = text.split(separator: marker, omittingEmptySubsequences: false).map { piece in
            piece.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        }
        guard pieces.count > 1 else { return mine == other }
        var rest = other[...]
        for (index, piece) in pieces.enumerated() where !piece.isEmpty {
            if index == 0 {
                guard rest.starts(with: piece) else { return false }
                rest = rest.dropFirst(piece.count)
            } else if index == pieces.count - 1 {
                return rest.count >= piece.count && rest.suffix(piece.count).elementsEqual(piece)
            } else {
                guard let found = rest.firstRange(of: piece) else { return false }
                rest = rest[found.upperBound...]
            }
        }
        return true
    }
}
