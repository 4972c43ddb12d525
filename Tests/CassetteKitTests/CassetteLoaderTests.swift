import Foundation
import HTTPCore
import SystemIO
import TestSupport
import Testing

@testable import CassetteKit

@Suite struct CassetteLoaderTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory("loader")
        try Files.makeDirectories(directory.file("interactions"))
        try write(#"{"version": 1, "form": "forward", "mine": true}"#, "cassette.json")
    }

    private func write(_ text: String, _ name: String) throws {
        try Files.writeAtomically(Array(text.utf8), to: directory.file(name))
    }

    private func failure() -> FormatError? {
        #expect(throws: FormatError.self) { try Cassette.load(folder: directory.path) }
    }

    private func interaction(_ body: String = "null") -> String {
        #"{"request": {"method": "GET", "url": "http://h/"}, "response": {"status": 200, "body": \#(body)}}"#
    }

    @Test func takesInteractionsByOrdinalThenByName() throws {
        for name in ["b.10.json", "b.2.json", "a.2.json", "hand.json"] {
            try write(interaction(#"{"text": "x"}"#), "interactions/\(name)")
        }
        let cassette = try Cassette.load(folder: directory.path + "/")
        #expect(cassette.interactions.map(\.name) == ["hand.json", "a.2.json", "b.2.json", "b.10.json"])
        #expect(cassette.manifest.form == .forward)
        #expect(cassette.manifest.unknown == [JSONMember("mine", .bool(true))])
    }

    @Test func orphansAreReportedAndNotRead() throws {
        try write(interaction(#"{"file": "a.1.00000000.bin"}"#), "interactions/a.1.json")
        try write("x", "interactions/a.1.00000000.bin")
        try write("x", "interactions/a.1.11111111.bin")
        try write("{", "interactions/.tmp-12-1")
        let cassette = try Cassette.load(folder: directory.path)
        #expect(cassette.orphans == [".tmp-12-1", "a.1.11111111.bin"])
        #expect(try cassette.interactions.first?.response?.body?.octets() == [UInt8(ascii: "x")])
    }

    @Test func aMissingBodyIsNamed() throws {
        try write(interaction(#"{"file": "a.1.00000000.bin"}"#), "interactions/a.1.json")
        let error = failure()
        #expect(error?.message == "the body's file a.1.00000000.bin is missing")
        #expect(error?.file == directory.file("interactions/a.1.json"))
    }

    @Test(arguments: [
        ("", "no text at all"), ("{\n", "the end within a value"),
        ("<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n", "the mark of a merge conflict"),
        ("\u{FEFF}{}", "a byte order mark"),
        ("{}", "the key \"request\" is missing"),
    ])
    func oneDefectiveFileStopsTheStart(_ text: String, _ message: String) throws {
        try write(interaction(#"{"text": "x"}"#), "interactions/a.1.json")
        try write(text, "interactions/b.1.json")
        let error = failure()
        #expect(error?.file == directory.file("interactions/b.1.json"))
        #expect(error?.message == message)
        #expect(error?.line ?? 0 > 0)
    }

    @Test func theFirstDefectInTheOrderOfNamesIsReported() throws {
        for number in 0..<300 {
            try write(
                number == 70 || number == 200 ? "[" : interaction("{\"text\": []}"),
                "interactions/\(1_000 + number).json")
        }
        #expect(failure()?.file == directory.file("interactions/1070.json"))
    }

    @Test func aNewerFormatIsRefusedBeforeAnythingElse() throws {
        try write(#"{"version": 2, "form": {"new": 1}}"#, "cassette.json")
        let error = failure()
        #expect(error?.path == "$.version")
        #expect(error?.message == "the cassette has format version 2, and this program reads up to 1")
    }

    @Test func aFolderOfCassettesNamesThem() throws {
        try Files.remove(directory.file("cassette.json"))
        try Files.makeDirectories(directory.file("login"))
        try write("{}", "login/cassette.json")
        let error = failure()
        #expect(error?.message == "no cassette: cassette.json is missing")
        #expect(error?.advice == "Name one of those below: login")
    }

    @Test func aFolderThatIsNotThereIsAnError() {
        let error = #expect(throws: FormatError.self) { try Cassette.load(folder: directory.file("nowhere")) }
        #expect(error?.message == "there is no such folder")
    }

    @Test func anEmptyCassetteIsFine() throws {
        try Files.remove(directory.file("interactions"))
        #expect(try Cassette.load(folder: directory.path).interactions.isEmpty)
    }

    @Test func defectiveTimesSayWhatToDo() throws {
        try write(#"{"a.1.json": [1, 2]}"#, "timings.json")
        let cassette = try Cassette.load(folder: directory.path)
        let error = #expect(throws: FormatError.self) { try cassette.timings() }
        #expect(error?.advice.hasPrefix("Delete the file") == true)
    }

    @Test func aLinkOrAPipeIsNoFileOfACassette() async throws {
        let outside = directory.file("outside.json")
        try write(interaction(), "outside.json")
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("interactions/a.json"), withDestinationPath: outside)
        #expect(failure()?.message == "it is no plain file")
        try Files.remove(directory.file("interactions/a.json"))
        #expect(mkfifo(directory.file("interactions/a.json"), 0o600) == 0)
        #expect(failure()?.message == "it is no plain file")
        try Files.remove(directory.file("interactions/a.json"))
        try write(interaction(#"{"file": "b.bin"}"#), "interactions/a.json")
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("interactions/b.bin"), withDestinationPath: outside)
        #expect(failure()?.message == "it is no plain file")
    }
}
