import Foundation
import SystemIO
import TestSupport

/// A shell script of curl calls, run against whatever `TAPEDECK_URL` names; keeps each body and status in a folder.
struct Flow {
    /// One curl call: its number names the files that keep its answer.
    private let steps: [String]

    init(_ steps: [String]) { self.steps = steps }

    /// Writes the script and returns its path.
    ///
    /// - Parameter results: the folder for `N.body` and `N.status`.
    func script(in folder: TemporaryDirectory, results: String) throws -> String {
        try Files.makeDirectories(results)
        let calls = steps.enumerated().map { n, step in
            "curl -s --max-time 20 -o '\(results)/\(n).body' -w '%{http_code}' \(step) > '\(results)/\(n).status' || true"
        }
        let path = "\(results)/flow.sh"
        try Files.writeAtomically(Array((["set -u"] + calls).joined(separator: "\n").utf8), to: path)
        return path
    }

    /// What each step got: its status and the octets of its body.
    func results(in folder: String) throws -> [Result] {
        try steps.indices.map { n in
            Result(
                step: steps[n], status: String(decoding: try Files.read("\(folder)/\(n).status"), as: UTF8.self),
                body: Files.exists("\(folder)/\(n).body") ? try Files.read("\(folder)/\(n).body") : [])
        }
    }

    struct Result: Equatable, CustomStringConvertible {
        var step: String
        var status: String
        var body: [UInt8]

        var description: String { "\(step): \(status), \(body.count) octets" }
    }

    /// Twenty and some exchanges of every common kind.
    static let everyKind = Flow([
        "$TAPEDECK_URL/data/items.json",
        "--compressed $TAPEDECK_URL/data/items.json",
        "--compressed $TAPEDECK_URL/data/large.json",
        "$TAPEDECK_URL/data/large.json",
        "$TAPEDECK_URL/blob.bin",
        "--head $TAPEDECK_URL/data/items.json",
        "-H 'If-Modified-Since: Fri, 01 Jan 2038 00:00:00 GMT' $TAPEDECK_URL/data/large.json",
        "$TAPEDECK_URL/missing",
        "-H 'Content-Type: application/json' -d '{\"a\": 1}' $TAPEDECK_URL/echo",
        "-H 'Content-Type: application/json' -d '{\"a\": 2}' $TAPEDECK_URL/echo",
        "-d 'name=Ada&age=36' $TAPEDECK_URL/echo",
        "$TAPEDECK_URL/counter",
        "$TAPEDECK_URL/counter",
        "$TAPEDECK_URL/counter",
        "$TAPEDECK_URL/counter",
        "\"$TAPEDECK_URL/data/items.json?page=1\"",
        "\"$TAPEDECK_URL/data/items.json?page=2\"",
        "-T blob.bin $TAPEDECK_URL/echo/upload",
        "-X DELETE $TAPEDECK_URL/echo/1",
        "$TAPEDECK_URL/empty",
        "-H 'Range: bytes=10-99' $TAPEDECK_URL/blob.bin",
        "-H 'Transfer-Encoding: chunked' -d @data/items.json $TAPEDECK_URL/echo/chunked",
    ])
}

/// Files that nginx serves in the tests.
enum ServedFiles {
    static func make(in folder: TemporaryDirectory) throws -> String {
        let root = folder.path + "/www"
        try Files.makeDirectories(root + "/data")
        let items = (1...3).map { #"{"id": \#($0), "price": \#($0).50, "name": "Item \#($0) ü"}"# }.joined(
            separator: ", ")
        try Files.writeAtomically(Array(#"{"items": [\#(items)], "next": null}"#.utf8), to: root + "/data/items.json")
        let many = (1...400).map { #"{"id":\#($0),"text":"line \#($0) of a larger document"}"# }.joined(separator: ",")
        try Files.writeAtomically(Array("[\(many)]".utf8), to: root + "/data/large.json")
        var generator = SeededGenerator(seed: 7)
        let blob = (0..<(1 << 20)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        try Files.writeAtomically(blob, to: root + "/blob.bin")
        return root
    }
}
