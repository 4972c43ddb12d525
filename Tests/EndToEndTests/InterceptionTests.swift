import Foundation
import SystemIO
import TestSupport
import Testing

/// HTTPS through the proxy with foreign parts: curl, Python's requests and ssl as clients, Python as the backend.
@Suite struct InterceptionTests {
    // MARK: The main job

    @Test func curlAndRequestsGetTheSameWithoutTheBackend() async throws {
        let folder = try TemporaryDirectory()
        let backend = try await SecureBackend(in: folder)
        let script = """
            BASE=\(backend.url)
            curl -sS --fail -w ' %{num_connects} ' --cacert "$TAPEDECK_CA_FILE" $BASE/counter $BASE/counter
            test "$TAPEDECK_CA_FILE" = "$TEST_RUNNER_TAPEDECK_CA_FILE" && printf same
            test "$TAPEDECK_CA_FILE" = "$SIMCTL_CHILD_TAPEDECK_CA_FILE" && printf same
            REQUESTS_CA_BUNDLE=$TAPEDECK_CA_FILE python3 -c "
            import requests
            session = requests.Session()
            for body in ('one', 'two'):
                answer = session.post('$BASE/echo', data=body)
                print(answer.status_code, answer.text)
            print(session.get('$BASE/nothing').status_code)
            "
            """
        let recorded = try await deck(
            ["record", "--upstream-ca", backend.certificate, "cassette"], ["sh", "-c", script], folder)
        #expect(recorded.status == 0, "\(recorded.errors)")
        #expect(
            recorded.output
                == #"{"calls": 1} 1 {"calls": 2} 0 samesame201 POST one"# + "\n201 POST two\n404\n", "\(recorded)")
        await backend.stop()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/cassette/interactions")
        #expect(names.count == 5, "\(names)")
        for name in names {
            let text = String(decoding: try Files.read(folder.path + "/cassette/interactions/" + name), as: UTF8.self)
            #expect(text.contains(#""url": "\#(backend.url)/"#), "\(text)")
        }
        let replayed = try await deck(["replay", "--strict", "cassette"], ["sh", "-c", script], folder)
        #expect(replayed.status == 0, "\(replayed.errors)")
        #expect(replayed.output == recorded.output)
        #expect(replayed.errors.contains("upstream connections 0, name look-ups 0"), "\(replayed.errors)")
        let missed = try await deck(
            ["replay", "cassette"],
            [
                "sh", "-c",
                "curl -sS -w ' %{http_connect} %{http_code}' --cacert $TAPEDECK_CA_FILE \(backend.url)/never-recorded",
            ], folder)
        #expect(missed.output.hasSuffix(" 200 599"), "\(missed)")
        let key = String(decoding: try Files.read(folder.path + "/ca/ca-key.pem"), as: UTF8.self)
        let lines = key.split(separator: "\n").filter { $0.count > 40 }
        for run in [recorded, replayed, missed] {
            #expect(!lines.contains { run.errors.contains($0) || run.output.contains($0) })
        }
    }

    @Test func whatIsTunneledPassesUnseenAndIsAMissInReplay() async throws {
        let folder = try TemporaryDirectory()
        let backend = try await SecureBackend(in: folder)
        let script = ["sh", "-c", "curl -sS --fail --cacert \(backend.certificate) \(backend.url)/counter"]
        let recorded = try await deck(["record", "--tunnel", "localhost", "cassette"], script, folder)
        #expect(recorded.output == #"{"calls": 1}"#, "\(recorded)")
        #expect(recorded.errors.contains("1 tunnel passed unseen"), "\(recorded.errors)")
        await backend.stop()
        let replayed = try await deck(
            ["replay", "--proxy-env", "--tunnel", "*.example.com", "--tunnel", "localhost", "--strict=misses"],
            ["sh", "-c", "curl -s -w '%{http_connect}' \(backend.url)/counter; true"], folder)
        #expect(replayed.output == "599", "\(replayed)")
        #expect(replayed.status == 1)
        #expect(replayed.errors.contains("--tunnel"), "\(replayed.errors)")
        #expect(replayed.errors.contains("upstream connections 0, name look-ups 0"), "\(replayed.errors)")
    }

    @Test func twentyMegabytesPassBothWays() async throws {
        let folder = try TemporaryDirectory()
        let backend = try await SecureBackend(in: folder)
        let found = try await clients(
            "sends_much", ["passthrough", "--upstream", backend.url, "--upstream-ca", backend.certificate], folder,
            ["BACKEND_PORT": String(backend.port)])
        await backend.stop()
        #expect(found == ["status": "201", "same": "true", "again": "200"])
    }

    // MARK: Handshakes

    private static let everything = #"""
        {"version": 1, "routes": {
          "slow": {"match": "GET /slow", "variants": {"default": {"status": 200, "body": "slow", "latency": "200ms"}}},
          "all": {"match": "* /{rest...}?*", "variants": {"default": {"status": 200, "body": "hello"}}},
        }}
        """#

    @Test func clientsOfEveryKindAreServed() async throws {
        let folder = try TemporaryDirectory()
        let found = try await clients("shakes_hands", ["replay"], folder)
        #expect(found["head"] == #""HTTP\/1.1 200 Connection Established\r\n\r\n""#, "no framing: RFC 9110 §9.3.6")
        #expect(found["TLSv1.2"] == "[200,200]")
        #expect(found["TLSv1.3"] == "[200,200]")
        #expect(found["protocol"] == #""http\/1.1""#)
        #expect(found["names"] == #"[["DNS","api.example.com"]]"#)
        #expect(found["sni"] == #"[["DNS","other.example.com"]]"#)
        #expect(found["address"] == #"[["IP Address","127.0.0.1"]]"#)
        #expect(found["days"].flatMap(Double.init).map { $0 > 0 && $0 <= 197 } == true, "\(found)")
        #expect(found["begins"] == "1", "a day back")
        #expect(found["h2"]?.contains("no application protocol") == true, "\(found)")
        #expect(found["old"] == #""TLSV1_ALERT_PROTOCOL_VERSION""#)
        #expect(found["misdirected"] == "421")
        #expect(found["halfClosed"] == #""HTTP\/1.1 200 OK""#)
    }

    @Test func fiftyClientsShakeHandsAtOnce() async throws {
        let folder = try TemporaryDirectory()
        #expect(try await clients("shakes_many_hands", ["replay"], folder) == ["answers": "[200]"])
    }

    @Test(arguments: ["epoll", "poll"]) func brokenHandshakesLeaveNothingAndNoLoopSpins(poller: String) async throws {
        let folder = try TemporaryDirectory()
        let found = try await clients("breaks_off", ["replay"], folder, ["TAPEDECK_POLLER": poller])
        #expect(found["answer"] == "200")
        #expect(found["left"] == "0", "\(found)")
        for phase in ["spent", "spentAfter"] {
            #expect(found[phase].flatMap(Double.init).map { $0 < 0.3 } == true, "\(found)")
        }
    }

    // MARK: Faults

    /// A fault, what Python's ssl says of it, curl's exit code, and what the deck's log says of curl.
    private static let faults: [(name: String, words: String, code: String, log: String)] = [
        ("tlsHandshake", "SSLV3_ALERT_HANDSHAKE_FAILURE", "35", "as it was to: the alert handshake_failure was sent"),
        ("tlsExpired", "certificate has expired", "60", "ended as it was to: "),
        // curl looks at the name when the handshake is over.
        ("tlsWrongHost", "Hostname mismatch", "60", "a client that minds the certificate leaves now"),
        ("tlsUntrusted", "issuer certificate", "60", "ended as it was to: "),
    ]

    @Test(arguments: faults.indices) func aFaultInTheHandshakeIsSeen(row: Int) async throws {
        let fault = Self.faults[row]
        let folder = try TemporaryDirectory()
        let arguments = ["replay", "--fault", "CONNECT api.example.com=\(fault.name)"]
        let found = try await clients("is_shown", arguments, folder)
        #expect(found["ssl"]?.contains(fault.words) == true, "\(found)")
        let curl = try await deck(
            arguments + ["--proxy-env", "--config", "everything.json"],
            [
                "sh", "-c",
                """
                curl -s --cacert $TAPEDECK_CA_FILE https://api.example.com/; echo $?
                curl -s --cacert $TAPEDECK_CA_FILE https://other.example.com/; echo " $?"
                """,
            ], folder)
        #expect(curl.output == "\(fault.code)\nhello 0\n", "\(curl)")
        #expect(curl.errors.contains(fault.log), "\(curl.errors)")
    }

    @Test func aFaultThatCanNotActIsRefusedAtStart() async throws {
        let folder = try TemporaryDirectory()
        let path = try await Program.tapedeck(
            ["replay", "--listen", "localhost:0", "--fault", "GET /x=tlsExpired", "--", "true"], in: folder)
        #expect(path.status == 2)
        #expect(path.errors.contains("give it to `CONNECT HOST`"), "\(path.errors)")
        let reverse = try await Program.tapedeck(
            [
                "record", "--listen", "localhost:0", "--upstream", "http://127.0.0.1:9", "--fault", "*=tlsExpired", "c",
                "--", "true",
            ], in: folder)
        #expect(reverse.status == 2)
        #expect(reverse.errors.contains("https_proxy"), "\(reverse.errors)")
    }

    // MARK: The authority

    @Test func theAuthorityIsMadeShownAndNeverItsKey() async throws {
        let folder = try TemporaryDirectory()
        let place = ["--ca-dir", folder.path + "/ca"]
        #expect(try await Program.tapedeck(["ca", "show"] + place, in: folder).status == 2)
        // Many at once end with one authority.
        let path = try await Program.run(
            [
                "sh", "-c",
                "for n in 1 2 3 4 5 6; do '\(Program.tapedeck)' ca path --ca-dir ca & done; wait; stat -c %a ca ca/ca-key.pem",
            ], in: folder)
        let lines = path.output.split(separator: "\n")
        #expect(Set(lines.dropLast(2)).count == 1 && lines.count == 8, "\(path)")
        #expect(lines.suffix(2) == ["700", "600"])
        let shown = try await Program.tapedeck(["ca", "show"] + place, in: folder)
        let digest = try await Program.run(
            ["openssl", "x509", "-in", "ca/ca.pem", "-noout", "-fingerprint", "-sha256"], in: folder)
        let fingerprint = try #require(digest.output.split(separator: "=").last).trimmingCharacters(in: .newlines)
        #expect(shown.output.contains(fingerprint), "\(shown)")
        #expect(try await Program.tapedeck(["ca", "create"] + place, in: folder).status == 2)
        let trust = try await Program.tapedeck(["ca", "trust"] + place, in: folder)
        #expect(trust.output.contains("simctl keychain booted add-root-cert"))
        let renewed = try await Program.tapedeck(
            ["ca", "create", "--force", "--permit", "example.com"] + place, in: folder)
        #expect(renewed.status == 0 && !renewed.output.contains(fingerprint))
        let text = try await Program.run(["openssl", "x509", "-in", "ca/ca.pem", "-noout", "-text"], in: folder)
        #expect(text.output.contains("DNS:example.com") && text.output.contains("Name Constraints: critical"))
        for run in [path, shown, trust, renewed] {
            #expect(!(run.output + run.errors).contains("PRIVATE KEY"))
        }
    }

    // MARK: Helpers

    private func deck(
        _ arguments: [String], _ command: [String], _ folder: TemporaryDirectory, _ environment: [String: String] = [:]
    ) async throws -> Finished {
        try Files.writeAtomically(Array(Self.everything.utf8), to: folder.path + "/everything.json")
        return try await Program.tapedeck(
            arguments + ["--listen", "127.0.0.1:0", "--control", "off", "--"] + command, in: folder,
            environment: ["TAPEDECK_CA_DIR": folder.path + "/ca"].merging(environment) { $1 })
    }

    /// Runs one of the clients beside these tests under a deck whose routes answer everything; what it found, value by value in
    /// JSON.
    private func clients(
        _ name: String, _ arguments: [String], _ folder: TemporaryDirectory, _ environment: [String: String] = [:]
    ) async throws -> [String: String] {
        let script = (#filePath as NSString).deletingLastPathComponent + "/Support/tls_clients.py"
        let more = arguments[0] == "replay" ? ["--config", "everything.json"] : []
        let run = try await deck(arguments + ["--proxy-env"] + more, ["python3", script, name], folder, environment)
        #expect(run.status == 0, "\(run.errors)")
        let found = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any] ?? [:]
        return try found.mapValues { value in
            if let truth = value as? Bool, "\(type(of: value))".contains("Bool") { return truth ? "true" : "false" }
            let options: JSONSerialization.WritingOptions = [.fragmentsAllowed]
            return String(decoding: try JSONSerialization.data(withJSONObject: value, options: options), as: UTF8.self)
        }
    }
}

/// The backend beside these tests with a certificate of its own for `localhost`.
struct SecureBackend {
    let certificate: String
    private let server: PrintedPortServer

    init(in folder: TemporaryDirectory) async throws {
        certificate = folder.path + "/backend.pem"
        let key = folder.path + "/backend-key.pem"
        let made = try await Program.run(
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key,
                "-out", certificate,
            ], in: folder)
        guard made.status == 0 else { throw BackendError("openssl: \(made.errors)") }
        server = try PrintedPortServer.python([certificate, key])
    }

    var port: Int { server.port }
    var url: String { "https://localhost:\(port)" }

    func stop() async { await server.stop() }
}
