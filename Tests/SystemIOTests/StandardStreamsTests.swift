import Testing

@testable import SystemIO

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct StandardStreamsTests {
    @Test func seesThatTheReaderLeft() throws {
        Signals.ignoreBrokenPipes()
        let ends = try pipeEnds()
        close(ends.read)
        #expect(try StandardStreams.write([1, 2, 3], descriptor: ends.write) == .readerLeft)
        close(ends.write)
    }

    @Test func waitsForASlowReader() async throws {
        let ends = try pipeEnds()
        #expect(fcntl(ends.write, F_SETFL, O_NONBLOCK) == 0)
        let octets = [UInt8](repeating: 7, count: 1 << 20)
        let (results, reader) = AsyncStream.makeStream(of: [UInt8]?.self)
        try SystemThread.start("reader") {
            reader.yield(try? Descriptor(takingOwnership: ends.read, path: "pipe").readAll())
        }
        #expect(try StandardStreams.write(octets, descriptor: ends.write) == .written)
        close(ends.write)
        #expect(await results.first { _ in true } == octets)
    }

    @Test func throwsWhatIsNeither() {
        #expect(throws: SystemError(call: "write", errno: EBADF)) { try StandardStreams.write([1], descriptor: -1) }
    }

    @Test func knowsThatAPipeIsNoTerminal() throws {
        let ends = try pipeEnds()
        #expect(!isTerminal(ends.read))
        close(ends.read)
        close(ends.write)
    }

    private func pipeEnds() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        return (ends[0], ends[1])
    }
}
