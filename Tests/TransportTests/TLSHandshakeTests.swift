import Foundation
import HTTPCore
import SystemIO
import TestSupport
import Testing

@testable import Transport

/// Handshakes that fail, octet by octet, and what they leave to others on the same loop.
@Suite struct TLSHandshakeTests {
    /// A whole ClientHello of OpenSSL's for `api.example.com` that offers `h2` alone.
    private static let hello = [UInt8](
        Data(
            base64Encoded: """
                FgMBAgABAAH8AwPxA90LQZq99Ia68758LcwVOCeN/jJWi9ri2fK0CkmB0CCw1b92CuQU/Na/ZoTIB9xa9N6bidoK/uBe2rCGUpsH\
                QQAkEwITAxMBwCzAMMArwC/MqcyowCTAKMAjwCcAnwCeAGsAZwD/AQABjwAAABQAEgAAD2FwaS5leGFtcGxlLmNvbQALAAQDAAEC\
                AAoAFgAUAB0AFwAeABkAGAEAAQEBAgEDAQQAIwAAABAABQADAmgyABYAAAAXAAAADQAqACgEAwUDBgMIBwgICAkICggLCAQIBQgG\
                BAEFAQYBAwMDAQMCBAIFAgYCACsABQQDBAMDAC0AAgEBADMAJgAkAB0AICSgPfir5eJDu15jDtzeRXByTjPVRFHjzu8wXNC8wddY\
                ABUA1QAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
                AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
                AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
                """) ?? Data())

    /// One loop, so that a client that keeps it busy is seen by the next one.
    private static func server(_ poller: PollerKind, _ notes: Notes) throws -> ServerFixture {
        try ServerFixture(poller) { exchange in
            guard exchange.head.method == "CONNECT" else { return try await echo(exchange) }
            try await exchange.openTunnel()
            let tunnel = Tunnel(Authority(host: "api.example.com", port: 443), isSecure: true, fields: Fields())
            guard case .tls = await exchange.awaitSpeech() else { return exchange.abort(.close) }
            do throws(HandshakeFailure) {
                try await exchange.secureTunnel(tunnel) { _ in nil }
            } catch {
                notes.add(error.reason)
                exchange.abort(.close)
            }
        }
    }

    private static func connect(_ server: ServerFixture, and octets: [UInt8] = []) throws -> RawClient {
        let client = try server.connect()
        try client.send(
            Array("CONNECT api.example.com:443 HTTP/1.1\r\nHost: api.example.com:443\r\n\r\n".utf8) + octets)
        #expect(try client.readThrough("\r\n\r\n") == "HTTP/1.1 200 Connection Established\r\n\r\n")
        return client
    }

    /// Whether the hello comes in one piece with CONNECT or after its answer.
    @Test(arguments: PollerKind.allCases, [true, false]) func aRefusalIsAnAlert(poller: PollerKind, isEarly: Bool)
        throws
    {
        let server = try Self.server(poller, Notes())
        let client = try Self.connect(server, and: isEarly ? Self.hello : [])
        if !isEarly { try client.send(Self.hello) }
        // A record of alerts, its version, its length, fatal, handshake_failure (RFC 8446 §6).
        let (octets, ending) = client.readToEnd()
        #expect(octets.first == 0x15 && octets.suffix(4) == [0, 2, 2, 40], "\(octets)")
        #expect(ending == .fin)
    }

    /// The bug that this is for: a broken session said for ever that it may hold more to read.
    @Test(
        arguments: PollerKind.allCases,
        [
            [0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5], [0x16] + [UInt8](repeating: 0, count: 200),
            [0x16, 3, 1, 0xFF, 0xFF] + [UInt8](repeating: 7, count: 100), hello,
        ])
    func aClientThatStaysAfterItsFailureKeepsNobodyWaiting(poller: PollerKind, octets: [UInt8]) throws {
        let notes = Notes()
        let server = try Self.server(poller, notes)
        let client = try Self.connect(server)
        try client.send(octets)
        #expect(notes.wait(for: 1)?.count == 1)
        let other = try server.connect()
        try other.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try other.readResponse().text == "GET /a ")
        #expect(client.readToEnd().ending == .fin)
    }

    @Test func aHandshakeThatDoesNotEndIsEndedInTime() throws {
        let notes = Notes()
        let server = try Self.server(.epoll, notes)
        // In one piece with CONNECT, so that no other wait comes between.
        let client = try Self.connect(server, and: Array(Self.hello.prefix(20)))
        server.clock.advance(by: .seconds(31))
        #expect(notes.wait(for: 1) == ["the handshake did not end in time"])
        #expect(client.readToEnd().ending == .fin)
    }
}
