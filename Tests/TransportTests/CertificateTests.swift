import Foundation
import HTTPCore
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import Transport

/// The authority and the certificates that come of it.
@Suite struct CertificateTests {
    private static let now: Int64 = 1_796_083_200
    private static let day: Int64 = 86_400

    private static func issuer(_ now: @escaping @Sendable () -> Int64 = { Self.now }) throws -> CertificateIssuer {
        CertificateIssuer(
            authority: try .make(now: Self.now, random: .system), clock: WallClock { now() * 1_000 }, random: .system)
    }

    @Test func aLeafIsBackdatedADayAndHoldsAtMost197() throws {
        let leaf = try Self.issuer().identity(for: .name("api.example.com"))
        let validity = leaf.certificate.validity
        #expect(validity.lowerBound == Self.now - Self.day)
        #expect(validity.upperBound - validity.lowerBound == 197 * Self.day)
        #expect(leaf.certificate.commonName == "api.example.com")
    }

    @Test func aLeafIsKeptUntilItHoldsForLessThanADay() throws {
        let time = Atomic(Self.now)
        let issuer = try Self.issuer { time.load(ordering: .relaxed) }
        let first = try issuer.identity(for: .name("a.example")).certificate.fingerprint
        #expect(try issuer.identity(for: .name("a.example")).certificate.fingerprint == first)
        time.store(Self.now + 195 * Self.day - 1, ordering: .relaxed)
        #expect(issuer.kept(for: .name("a.example"))?.certificate.fingerprint == first)
        time.store(Self.now + 195 * Self.day, ordering: .relaxed)
        #expect(issuer.kept(for: .name("a.example")) == nil)
        #expect(try issuer.identity(for: .name("a.example")).certificate.fingerprint != first)
    }

    @Test func noMoreLeavesAreKeptThanTheBound() throws {
        let issuer = try Self.issuer()
        for number in 0...CertificateIssuer.capacity { _ = try issuer.identity(for: .name("h\(number).example")) }
        #expect(issuer.kept(for: .name("h0.example")) == nil)
        #expect(issuer.kept(for: .name("h1.example")) != nil)
        #expect(issuer.kept(for: .name("h\(CertificateIssuer.capacity).example")) != nil)
    }

    @Test func allThatMakeAnAuthorityAtOnceHaveTheSame() async throws {
        let folder = try TemporaryDirectory()
        let place = AuthorityFolder(folder.path + "/a/ca")
        let found = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 {
                group.addTask { try place.loadOrMake(now: Self.now, random: .system).certificate.fingerprint }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(found.count == 1)
        #expect(try Certificate(pem: Files.read(place.certificateFile)).fingerprint == found.first)
        let mode = { (name: String) in
            try FileManager.default.attributesOfItem(atPath: place.path + name)[.posixPermissions] as? Int
        }
        #expect(try mode("") == 0o700)
        #expect(try mode("/ca-key.pem") == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).sorted() == ["ca-key.pem", "ca.pem"])
    }

    @Test func anAuthorityThatCanNotBeUsedIsRefusedInWords() throws {
        let folder = try TemporaryDirectory()
        let place = AuthorityFolder(folder.path + "/ca")
        _ = try place.loadOrMake(now: Self.now, random: .system)
        #expect(throws: TLSError.self) { try place.loadOrMake(now: Self.now + 4_000 * Self.day, random: .system) }
        try Files.writeAtomically(Array("nonsense".utf8), to: place.path + "/ca-key.pem")
        let error = #expect(throws: TLSError.self) { try place.load() }
        #expect(error?.advice.contains("ca create --force") == true)
    }

    @Test(arguments: [
        ("API.Example.com.", ServerName.name("api.example.com")), ("127.0.0.1", .address([127, 0, 0, 1])),
        ("[::1]", .address(Array(repeating: 0, count: 15) + [1])), ("a b", nil), ("", nil),
        (String(repeating: "a", count: 254), nil),
    ])
    func aNameIsWhatACertificateCanSay(host: String, name: ServerName?) {
        #expect(ServerName(host: host) == name)
    }
}
