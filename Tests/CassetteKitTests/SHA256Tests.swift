import Testing

@testable import CassetteKit

@Suite struct SHA256Tests {
    /// FIPS 180-4's own examples and the lengths at which padding takes one block or two.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (String(repeating: "a", count: 55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
        (String(repeating: "a", count: 56), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
        (String(repeating: "a", count: 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func givesTheDigestOfTheStandard(_ input: String, _ digest: String) {
        #expect(hex(SHA256.digest(Array(input.utf8))) == digest)
    }

    @Test func isTheSameHoweverTheInputIsCut() {
        let input = (0..<200).map { UInt8(truncatingIfNeeded: $0 * 37) }
        let whole = SHA256.digest(input)
        for cut in 0...input.count {
            var hash = SHA256()
            hash.update(input[..<cut])
            hash.update(input[cut...])
            #expect(hash.finish() == whole, "cut at \(cut)")
        }
    }

    @Test func goesOnByItselfWhenCopied() {
        var hash = SHA256()
        hash.update(Array("ab".utf8))
        var copy = hash
        hash.update(Array("x".utf8))
        copy.update(Array("c".utf8))
        #expect(copy.finish() == SHA256.digest(Array("abc".utf8)))
        #expect(hash.finish() == SHA256.digest(Array("abx".utf8)))
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}
