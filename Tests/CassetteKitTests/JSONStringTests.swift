import Testing

@testable import CassetteKit

@Suite struct JSONStringTests {
    @Test(arguments: [
        (#"plain"#, "plain"), (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"), (#"\u00e9\u00E9"#, "éé"),
        (#"\ud83d\ude00"#, "😀"), (#"x\ud800y"#, "x\u{FFFD}\u{FFFD}\u{FFFD}y"), (#"\u0000"#, "\0"),
    ])
    func decodesEscapes(_ raw: String, _ text: String) {
        #expect(JSONString(checkedSpelling: raw).text == text)
    }

    @Test func keepsLoneSurrogatesApart() {
        let high = JSONString(checkedSpelling: #"\ud800"#)
        let low = JSONString(checkedSpelling: #"\udc00"#)
        #expect(high.octets == [0xED, 0xA0, 0x80])
        #expect(low.octets == [0xED, 0xB0, 0x80])
        #expect(
            JSONString(checkedSpelling: #"\ud800\ud83d\ude00"#).octets == [0xED, 0xA0, 0x80, 0xF0, 0x9F, 0x98, 0x80])
    }

    @Test(arguments: [
        ("plain é 😀", "plain é 😀"), ("\"\\/", #"\"\\/"#), ("\r\n\t\u{1}\u{7F}", #"\r\n\t\u0001\u007f"#),
        ("a\u{202E}b\u{200B}\u{2028}\u{FEFF}\u{85}", #"a\u202eb\u200b\u2028\ufeff\u0085"#),
    ])
    func spellsWhatAReviewerCouldNotSee(_ text: String, _ raw: String) {
        let string = JSONString(text)
        #expect(string.raw == raw)
        #expect(string.text == text)
    }

    /// The composed and the decomposed e with acute are equal to Swift's String and different on the wire.
    @Test func equalityIsThatOfOctets() {
        let composed = JSONString(checkedSpelling: "\u{E9}")
        let decomposed = JSONString(checkedSpelling: "e\u{301}")
        #expect(composed != decomposed)
        #expect(!composed.isText("e\u{301}"))
        #expect(composed.isText("\u{E9}"))
        #expect(JSONString(checkedSpelling: #"\u0061"#).isText("a"))
    }
}
