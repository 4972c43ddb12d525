import Codecs
import Testing

@Suite struct ContentCodingTests {
    @Test(arguments: [
        ("gzip", ContentCoding.gzip), ("x-gzip", .gzip), ("GZIP", .gzip), ("X-GZip", .gzip), ("deflate", .deflate),
        ("br", .br), ("Br", .br), ("zstd", .zstd),
    ])
    func readsTokensInAnyCase(token: String, coding: ContentCoding) {
        #expect(ContentCoding(token: token) == coding)
    }

    @Test(arguments: ["", "identity", "compress", "x-compress", "gzip ", "x-deflate", "*", "dcb"])
    func knowsNoOtherToken(token: String) {
        #expect(ContentCoding(token: token) == nil)
    }
}
