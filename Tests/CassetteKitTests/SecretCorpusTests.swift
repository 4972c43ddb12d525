import HTTPCore
import SystemIO
import TestSupport
import Testing

@testable import CassetteKit

/// Planted secrets are in no file of a cassette, however they were spelled, and what was recorded is found again.
@Suite struct SecretCorpusTests {
    private let corpus = SecretCorpus()

    private func sanitizer(_ fixture: RecordingFixture) throws -> Sanitizer {
        let places = try Cassette.manifest(folder: fixture.folder)?.secretPlaces ?? []
        return Sanitizer(
            rules: SanitizerRules(literals: [SecretCorpus.literal], secretPlaces: places), codecs: testCodecs)
    }

    private func open(_ fixture: RecordingFixture) throws -> CassetteRecorder {
        let sanitizer = try sanitizer(fixture)
        return try CassetteRecorder.open(
            folder: fixture.folder, form: .reverse, upstreams: ["https://api.example.test"], sanitizer: sanitizer,
            matcher: Matcher(sanitizer: sanitizer), today: "2026-11-30", fsync: fixture.fsync)
    }

    private func leaks(_ fixture: RecordingFixture) throws -> [String] {
        let search = SecretSearch(corpus.plants.map(\.secret))
        return try fixture.files().flatMap { name, octets in
            search.found(in: Bytes(name.utf8) + [0x0A] + octets).map { secret in
                "\(name): \(corpus.plants.first { $0.secret == secret }?.label ?? "")"
            }
        }
    }

    @Test func isLargeEnoughToMeanSomething() {
        #expect(corpus.plants.count >= 150, "\(corpus.plants.count)")
        // Each stands where it was planted: the search finds it before anything is hidden.
        let search = SecretSearch(corpus.plants.map(\.secret))
        for plant in corpus.plants where !plant.label.hasSuffix("cut") {
            var octets = plant.target + [0x0A] + plant.answer + [0x0A] + (plant.body ?? []) + plant.reason
            for fields in [plant.fields, plant.answered, plant.trailers, plant.early] {
                for index in 0..<fields.count { octets += [0x0A] + fields.line(at: index) }
            }
            if search.found(in: octets).contains(plant.secret) { continue }
            let isCoded = ["gzip", "deflate", "br", "zstd", "two", "trailing", "card"].contains {
                plant.label.contains($0)
            }
            #expect(isCoded, "\(plant.label)")
        }
    }

    @Test func nothingPlantedIsInTheCassette() throws {
        let fixture = try RecordingFixture()
        let recorder = try open(fixture)
        for plant in corpus.plants { _ = try recorder.store(recorder.begin(plant.request), plant.response) }
        #expect(try leaks(fixture) == [])
        _ = try recorder.finish()
        #expect(try leaks(fixture) == [])
        // The replay of the corpus knows every request, by the rules and the places of the cassette.
        let matcher = Matcher(sanitizer: try sanitizer(fixture))
        let cassette = try Cassette.load(folder: fixture.folder)
        let keys = Set(try cassette.interactions.map { try matcher.key(of: $0.request) })
        for plant in corpus.plants { #expect(keys.contains(matcher.key(of: plant.request)), "\(plant.label)") }
        // Recorded again, with the same secrets, no line changes.
        let files = try fixture.files()
        let again = try open(fixture)
        for plant in corpus.plants { _ = try again.store(again.begin(plant.request), plant.response) }
        let summary = try again.finish()
        #expect(summary.changed + summary.new + summary.removed == [])
        #expect(try fixture.files() == files)
    }

    /// The answers come in another order than the requests: the token is used before the answer that hands it out is stored.
    @Test func nothingPlantedIsThereWhenAnswersComeLate() throws {
        let fixture = try RecordingFixture()
        let recorder = try open(fixture)
        let tickets = corpus.plants.map { recorder.begin($0.request) }
        for (plant, ticket) in zip(corpus.plants, tickets).reversed() { _ = try recorder.store(ticket, plant.response) }
        #expect(try leaks(fixture) == [])
        _ = try recorder.finish()
        #expect(try leaks(fixture) == [])
    }

    @Test func nothingPlantedIsInAMiss() throws {
        let fixture = try RecordingFixture()
        let sanitizer = try sanitizer(fixture)
        let matcher = Matcher(sanitizer: sanitizer, rules: MatchRules(headers: ["Authorization", "Cookie"]))
        let recorded = RecordedRequest(
            method: "GET", scheme: "https", authority: Authority(host: "api.example.test"), target: octets("/x"))
        let interaction = Interaction(
            name: "a.json", request: recorded, outcome: .response(RecordedResponse(status: 200, reason: [])))
        let search = SecretSearch(corpus.plants.map(\.secret))
        // What an answer handed out is not known to a replay; it is where a rule or a place names it.
        for plant in corpus.plants where plant.secret != SecretCorpus.handedOut {
            let report = MissReport(plant.request, interactions: [interaction], matcher: matcher, cassette: "c")
            let shown = octets(report.text + report.logLine + report.detail) + report.problem
            #expect(search.found(in: shown).isEmpty, "\(plant.label)")
        }
    }
}
