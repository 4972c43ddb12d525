import HTTPCore
import SystemIO
import TestSupport

@testable import CassetteKit

/// A cassette folder of its own and the messages to record into it.
final class RecordingFixture {
    let directory: TemporaryDirectory
    let fsync: FsyncGroup

    init() throws {
        directory = try TemporaryDirectory("recording")
        fsync = try FsyncGroup()
    }

    var folder: String { directory.file("shop") }

    func open(
        today: String = "2026-11-30", prune: Bool = false, codecs: ContentCodecs = .none,
        volatile: VolatileRules = VolatileRules(), rules: MatchRules = MatchRules(),
        countsRepeats: Bool = false
    ) throws -> CassetteRecorder {
        let places = try Cassette.manifest(folder: folder)?.secretPlaces ?? []
        let sanitizer = Sanitizer(rules: SanitizerRules(secretPlaces: places), codecs: codecs)
        let matcher = Matcher(sanitizer: sanitizer, rules: rules)
        var keys = CassetteRecorder.Keys(matcher)
        keys.traits = { _, target in
            var traits = RecordedTraits(rules: rules, target: target)
            traits.countsRepeats = countsRepeats
            return traits
        }
        return try CassetteRecorder.open(
            folder: folder, form: .reverse, upstreams: ["https://shop.example.com"], sanitizer: sanitizer,
            matcher: matcher, keys: keys, today: today, fsync: fsync, volatile: volatile,
            prune: prune)
    }

    /// Records exchanges in order and ends.
    @discardableResult
    func record(
        _ exchanges: [(RawRequest, RawResponse)], today: String = "2026-11-30", prune: Bool = false
    ) throws -> RecordSummary {
        let recorder = try open(today: today, prune: prune)
        for (request, response) in exchanges { _ = try recorder.store(recorder.begin(request), response) }
        return try recorder.finish()
    }

    /// Every file of the cassette by its path in it.
    func files() throws -> [String: Bytes] {
        var result: [String: Bytes] = [:]
        for name in try Files.list(folder) where name != "interactions" {
            result[name] = try Files.read("\(folder)/\(name)")
        }
        for name in try Files.list("\(folder)/interactions") {
            result["interactions/\(name)"] = try Files.read("\(folder)/interactions/\(name)")
        }
        return result
    }

    func names() throws -> [String] { try Files.list("\(folder)/interactions") }

    static func get(_ target: String, fields: [(String, String)] = []) -> RawRequest {
        RawRequest(
            method: "GET", scheme: "https", authority: Authority(host: "shop.example.com"), target: Bytes(target.utf8),
            fields: Fields(fields))
    }

    static func ok(
        _ body: String, fields: [(String, String)] = [("Content-Type", "application/json")]
    ) -> RawResponse {
        let octets = Bytes(body.utf8)
        return RawResponse(
            status: 200, reason: Bytes("OK".utf8),
            fields: Fields(fields + [("Content-Length", String(octets.count)), ("Connection", "keep-alive")]),
            framing: .length(octets.count), body: octets,
            timings: Timings(firstByte: 1_200, pieces: [Timings.Piece(offset: 30, size: octets.count)]))
    }
}
