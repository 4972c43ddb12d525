import HTTPCore
import Testing

@testable import CassetteKit

/// Pairs of requests, and whether one is an answer to the other.
@Suite struct MatchCaseTests {
    @Test(arguments: MatchCase.all)
    func twoRequestsAreTheSameOrNot(_ row: MatchCase) {
        let matcher = Matcher(sanitizer: Sanitizer(codecs: testCodecs), rules: row.rules)
        #expect((matcher.key(of: row.left) == matcher.key(of: row.right)) == row.same, "\(row.name)")
    }

    @Test func theTableIsLargeAndItsNamesDiffer() {
        #expect(MatchCase.all.count >= 120)
        #expect(Set(MatchCase.all.map(\.name)).count == MatchCase.all.count)
    }

    @Test func theHashOfADocumentIsThatOfItsOctets() {
        // The vector of FIPS 180-4 for "abc".
        #expect(
            text(MatchGraphQL.hash(octets("abc")))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}
