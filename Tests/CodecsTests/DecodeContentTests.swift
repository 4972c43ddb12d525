import Codecs
import Testing

@Suite struct DecodeContentTests {
    /// `hello` as other programs code it.
    private static let foreign: [(ContentCoding, String)] = [
        (.gzip, "1f8b0800000000000203cb48cdc9c9070086a6103605000000"),
        // With a file name and a time.
        (.gzip, "1f8b080800f1536502ff6e6f74652e74787400cb48cdc9c9070086a6103605000000"),
        (.deflate, "789ccb48cdc9c90700062c0215"),
        (.br, "0b028068656c6c6f03"),
        (.zstd, "28b52ffd045829000068656c6c6fa36d9f88"),
        // Without a checksum, which RFC 8878 §3.1.1 leaves to the sender.
        (.zstd, "28b52ffd005829000068656c6c6f"),
    ]

    @Test(arguments: foreign)
    func decodesWhatOthersEncoded(coding: ContentCoding, coded: String) throws {
        #expect(try decodeContent(Self.octets(coded), coding) == Array("hello".utf8))
    }

    @Test(arguments: foreign)
    func refusesASecondMember(coding: ContentCoding, coded: String) {
        let one = Self.octets(coded)
        #expect(Samples.decoded(one + one, coding) == .failure(.trailing))
    }

    @Test(arguments: foreign, [1, 2, 70_000])
    func refusesTrailingOctets(stream: (ContentCoding, String), count: Int) {
        #expect(
            Samples.decoded(Self.octets(stream.1) + [UInt8](repeating: 0, count: count), stream.0)
                == .failure(.trailing))
    }

    @Test(arguments: ContentCoding.allCases)
    func refusesNoOctets(coding: ContentCoding) {
        #expect(Samples.decoded([], coding) == .failure(.truncated))
    }

    /// Streams that look like the coding, each with one thing in it that is refused.
    @Test(arguments: [
        (ContentCoding.deflate, "cb48cdc9c90700", "raw deflate"),
        (.deflate, "1f8b0800000000000203cb48cdc9c9070086a6103605000000", "gzip"),
        (.deflate, "78bb062c0215cb48cdc9c90700062c0215", "a preset dictionary"),
        (.deflate, "789ccb48cdc9c90700062c0216", "another checksum"),
        (.gzip, "789ccb48cdc9c90700062c0215", "the zlib format"),
        (.gzip, "1f8b0800000000000203cb48cdc9c9070086a6103605000001", "another length"),
        (.gzip, "1f8b0800000000000203cb48cdc9c9070086a6103705000000", "another checksum"),
        (.gzip, "1f8b0820000000000203cb48cdc9c9070086a6103605000000", "a reserved flag"),
        (.gzip, "68656c6c6f", "plain text"),
        (.br, "ffffffffff", "no stream"),
        (.zstd, "502a4d180100000000", "a skippable frame"),
        (.zstd, "28b52ffd0070010000", "a window of 16 MiB"),
        (.zstd, "28b52ffd045829000068656c6c6fa36d9f89", "another checksum"),
        (.zstd, "68656c6c6f", "plain text"),
    ])
    func refusesWhatIsNoStream(coding: ContentCoding, coded: String, what: String) {
        guard case .failure(.malformed(coding, _)) = Samples.decoded(Self.octets(coded), coding) else {
            Issue.record("\(coding) with \(what): \(Samples.decoded(Self.octets(coded), coding))")
            return
        }
    }

    /// RFC 9659 §3 allows a sender 8 MiB.
    @Test func takesTheLargestWindowOfZstd() throws {
        #expect(try decodeContent(Self.octets("28b52ffd0068010000"), .zstd) == [])
    }

    private static func octets(_ hex: String) -> [UInt8] {
        let digits = hex.utf8.map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
