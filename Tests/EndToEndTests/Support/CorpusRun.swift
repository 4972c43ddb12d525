import Foundation
import HTTPCore
import SystemIO
import TestSupport

/// The corpus of planted secrets, played by foreign programs against the built one. What is sent and what came back lies in a folder
/// apart from the one that is searched.
struct CorpusRun {
    let corpus = SecretCorpus()
    /// Where the deck works: all that it leaves is here.
    let folder: TemporaryDirectory
    /// Where the corpus and the answers are.
    let apart: TemporaryDirectory
    private let search: SecretSearch

    private static let player = (#filePath as NSString).deletingLastPathComponent + "/corpus.py"

    init() throws {
        folder = try TemporaryDirectory("corpus")
        apart = try TemporaryDirectory("apart")
        search = SecretSearch(corpus.plants.map(\.secret))
        try write("corpus", prefix: "")
        try write("elsewhere", prefix: "/elsewhere")
    }

    private func write(_ name: String, prefix: String) throws {
        let lines = corpus.plants.map { plant in
            base64Encoded(Self.request(plant, prefix: prefix)) + "," + base64Encoded(Self.answer(plant))
        }
        try Files.writeAtomically(Array(lines.joined(separator: "\n").utf8), to: apart.file(name))
    }

    func upstream(_ mode: String = "") throws -> PrintedPortServer {
        try PrintedPortServer(["python3", Self.player, "serve", apart.file("corpus"), mode], in: "/")
    }

    /// A shell command that sends the corpus; its answers go to the file `out`.
    func sending(_ name: String = "corpus", out: String, _ mode: String = "") -> String {
        "python3 \(Self.player) send \(apart.file(name)) \(apart.file(out)) \(mode)"
    }

    /// Runs the deck around a command.
    func tapedeck(_ arguments: [String], _ script: String) async throws -> Finished {
        try await Program.tapedeck(
            arguments + [
                "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0", "--secret-env", "LITERAL", "--report",
                "report.json",
                "--", "sh", "-c", script,
            ], in: folder, environment: ["LITERAL": SecretCorpus.literal])
    }

    // MARK: What came of it

    /// The answers that a client got, in order.
    func answers(_ out: String) throws -> [[UInt8]] {
        let text = String(decoding: try Files.read(apart.file(out)), as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { base64Decoded($0.utf8) }
    }

    /// The labels of plants whose secrets stand in the octets.
    func found(in octets: [UInt8]) -> [String] {
        let secrets = search.found(in: octets)
        return corpus.plants.filter { secrets.contains($0.secret) }.map(\.label)
    }

    /// What is found in the files that the deck left, and in their names.
    func leaks() throws -> [String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try paths.filter { Files.isFile("\(folder.path)/\($0)") }.flatMap { path in
            found(in: Array(path.utf8) + [0x0A] + (try Files.read("\(folder.path)/\(path)"))).map { "\(path): \($0)" }
        }
    }

    func interactions() throws -> Int {
        let path = folder.file("c/interactions")
        return Files.exists(path) ? try Files.list(path).filter { $0.hasSuffix(".json") }.count : 0
    }

    // MARK: Octets

    private static func lines(_ fields: Fields) -> [UInt8] {
        (0..<fields.count).flatMap { fields.line(at: $0) + Array("\r\n".utf8) }
    }

    private static func request(_ plant: SecretCorpus.Plant, prefix: String) -> [UInt8] {
        var octets = Array("\(plant.method) \(prefix)".utf8) + plant.target
        octets += Array(" HTTP/1.1\r\nHost: api.example.test\r\nConnection: close\r\n".utf8) + lines(plant.fields)
        if let body = plant.body { octets += Array("Content-Length: \(body.count)\r\n".utf8) }
        return octets + Array("\r\n".utf8) + (plant.body ?? [])
    }

    private static func answer(_ plant: SecretCorpus.Plant) -> [UInt8] {
        var octets: [UInt8] = []
        if !plant.early.isEmpty {
            octets += Array("HTTP/1.1 103 Early Hints\r\n".utf8) + lines(plant.early) + Array("\r\n".utf8)
        }
        octets +=
            Array("HTTP/1.1 200 ".utf8) + plant.reason + Array("\r\nConnection: close\r\n".utf8) + lines(plant.answered)
        guard !plant.trailers.isEmpty else {
            return octets + Array("Content-Length: \(plant.answer.count)\r\n\r\n".utf8) + plant.answer
        }
        octets += Array("Transfer-Encoding: chunked\r\n\r\n\(String(plant.answer.count, radix: 16))\r\n".utf8)
        return octets + plant.answer + Array("\r\n0\r\n".utf8) + lines(plant.trailers) + Array("\r\n".utf8)
    }
}
