import Testing

@testable import DeckRules

@Suite struct VariantFileTests {
    @Test func fillsParameters() throws {
        let file = try VariantFile("sold-out-{itemId}.json", folder: "conf")
        #expect(file.parameterNames == ["itemId"])
        #expect(file.mediaType == "application/json")
        #expect(try file.path(["itemId": "7"]) == "conf/sold-out-7.json")
        #expect(try VariantFile("a/{x}/{y}.txt", folder: "").path(["x": "1", "y": "2"]) == "a/1/2.txt")
        #expect(try VariantFile("{x}", folder: "/").path(["x": "1"]) == "/1")
    }

    @Test(arguments: ["", "..", "../x", "a/../x", "a/..", "/etc/passwd", "{x", "x}", "{}", "a\nb", "a\0b"])
    func refusesNamesThatLeadAway(_ name: String) {
        #expect(throws: RuleError.self) { try VariantFile(name, folder: "conf") }
    }

    @Test(arguments: ["", "..", "../x", "a/../../x", "/etc/passwd", "a\0", "a\r\n"])
    func refusesParametersThatLeadAway(_ value: String) throws {
        #expect(throws: RuleError.self) { try VariantFile("{x}", folder: "conf").path(["x": value]) }
        #expect(throws: RuleError.self) { try VariantFile("{x}/a.json", folder: "conf").path(["x": value]) }
    }

    @Test func aParameterBesideDotsIsNoWayOut() throws {
        #expect(throws: RuleError.self) { try VariantFile(".{x}/a", folder: "conf").path(["x": "."]) }
        #expect(try VariantFile("a..{x}", folder: "conf").path(["x": "..b"]) == "conf/a....b")
    }

    @Test func refusesAMissingParameter() throws {
        let error = #expect(throws: RuleError.self) { try VariantFile("{x}", folder: "conf").path([:]) }
        #expect(error?.message.contains("{x}") == true)
    }
}
