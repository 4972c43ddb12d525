import Testing

@testable import CassetteKit

@Suite struct SanitizerCatalogTests {
    @Test func saysOfEveryRuleWhatItHidesAndWhy() {
        let rules = SanitizerRule.defaults + SanitizerRule.optional
        #expect(SanitizerNote.all.map(\.id) == rules.map(\.id))
        for note in SanitizerNote.all { #expect(!note.what.isEmpty && !note.why.isEmpty, "\(note.id)") }
        #expect(SanitizerNote.all.filter { !$0.isDefault }.map(\.id) == ["phone-numbers", "ibans"])
    }
}
