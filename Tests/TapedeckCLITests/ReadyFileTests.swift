import SystemIO
import TestSupport
import Testing

@testable import TapedeckCLI

@Suite struct ReadyFileTests {
    @Test func tellsAddressesAndProcess() throws {
        let folder = try TemporaryDirectory()
        let file = ReadyFile(path: folder.file("ready.json"))
        try file.write(proxy: "http://127.0.0.1:1", control: "http://127.0.0.1:2", pid: 4711)
        let text = String(decoding: try Files.read(file.path), as: UTF8.self)
        #expect(text == #"{"proxy": "http://127.0.0.1:1", "control": "http://127.0.0.1:2", "pid": 4711}"# + "\n")
        try file.write(proxy: "http://127.0.0.1:1", control: nil, pid: 1)
        #expect(try Files.read(file.path) == Array(#"{"proxy": "http://127.0.0.1:1", "pid": 1}"#.utf8) + [10])
    }

    @Test func tellsWhereUpstreamsAre() throws {
        let folder = try TemporaryDirectory()
        let file = ReadyFile(path: folder.file("ready.json"))
        try file.write(
            proxy: "http://p", control: nil, pid: 1, upstreams: [("auth", "http://p:3"), ("b", "http://p/_up/b")])
        let text = String(decoding: try Files.read(file.path), as: UTF8.self)
        #expect(text.contains(#""upstreams": {"auth": "http://p:3", "b": "http://p/_up/b"}"#), "\(text)")
    }

    @Test func removesAStaleOneAndBearsItsAbsence() throws {
        let folder = try TemporaryDirectory()
        let file = ReadyFile(path: folder.file("ready.json"))
        try Files.writeAtomically([], to: file.path)
        file.remove()
        #expect(!Files.exists(file.path))
        file.remove()
    }

    @Test func saysWhyItCannotBeWritten() throws {
        let folder = try TemporaryDirectory()
        let file = ReadyFile(path: folder.file("missing/ready.json"))
        let error = #expect(throws: CommandError.self) { try file.write(proxy: "http://a", control: nil, pid: 1) }
        #expect(error?.status == 3)
        #expect(error?.message.contains("missing") == true)
    }
}
