import Testing

@testable import CassetteKit

@Suite struct Base64TextTests {
    /// RFC 4648 §10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func isThatOfTheStandard(_ text: String, _ encoded: String) {
        #expect(Base64Text.encode(Array(text.utf8)) == encoded)
        #expect(Base64Text.decode(encoded) == Array(text.utf8))
    }

    @Test func takesEveryOctet() {
        let all = (0...255).map { UInt8($0) }
        #expect(Base64Text.decode(Base64Text.encode(all)) == all)
        #expect(Base64Text.decode(Base64Text.encode(Array(all.dropLast()))) == Array(all.dropLast()))
    }

    @Test(arguments: ["Z", "Zg=", "Zg", "Z===", "====", "Zh==", "Zm9=", "Zm 9v", "Zm9v\n", "Zm-_", "=Zm9", "Zg==Zg=="])
    func refusesEverythingElse(_ text: String) {
        #expect(Base64Text.decode(text) == nil)
    }
}
