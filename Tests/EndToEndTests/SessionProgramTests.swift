import Foundation
import SystemIO
import TestSupport
import Testing

/// Sessions, control and reload by the built program and its own `ctl`.
@Suite struct SessionProgramTests {
    private let ports = ["--listen", "localhost:0", "--control", "localhost:0"]

    @Test func ctlDrivesASessionFromMakingToVerdict() async throws {
        let folder = try TemporaryDirectory()
        let configuration = """
            {"version": 1, "routes": {"a": {"match": "GET /a", "variants": {"default": {"status": 200, "body": "fine"}}}},
             "scenarios": {"out": {"*": "unauthorized"}}}
            """
        try Files.writeAtomically(Array(configuration.utf8), to: folder.file("tapedeck.json"))
        let script = """
            t="\(Program.tapedeck) ctl"
            $t session one --scenario out --time-to-live 10m --own-port
            curl -s -o /dev/null -w '%{http_code}\\n' $TAPEDECK_URL/_deck/one/a
            $t scenario none --session one
            curl -s $TAPEDECK_URL/_deck/one/a; echo
            $t assert --session one --route a --calls 2 || echo "assertion: $?"
            $t assert '{"route": "a", "never": true}' --session one || echo "assertion: $?"
            $t journal --session one --status 401
            $t latency 1ms --session one; $t health --session one; $t schema | head -c 1
            $t close one --failed
            $t health --session one; echo "ctl: $?"
            """
        let run = try await Program.tapedeck(["replay"] + ports + ["--", "sh", "-c", script], in: folder)
        #expect(run.status == 0, "\(run.errors)")
        let all = run.output
        for part in [
            "SESSION", "401\n", "fine\n", "holds, 2 calls", "does not hold, 2 calls", "assertion: 1", "expected none",
            "1 of 2 exchanges", "latency 1ms", "{", "passed", "ctl: 2",
        ] { #expect(all.contains(part), "\(part) in \(all)\(run.errors)") }
        #expect(!all.contains("assertion: 1\ndoes not hold"), "\(all)")
    }

    @Test(arguments: [["--upstream-ports", "any"], []])
    func upstreamsWithNamesHaveTheirOwnURLs(ports: [String]) async throws {
        let folder = try TemporaryDirectory()
        let (api, auth) = (try PrintedPortServer.python(), try PrintedPortServer.python())
        let upstreams = ["--upstream", api.url, "--upstream", "auth=\(auth.url)"] + ports
        let script = "curl -s $TAPEDECK_URL_AUTH/counter $TAPEDECK_URL_AUTH/counter; cat ready; echo $TAPEDECK_URL_AUTH"
        let recorded = try await Program.tapedeck(
            ["record", "--ready-file", "ready"] + self.ports + upstreams + ["c", "--", "sh", "-c", script], in: folder)
        #expect(recorded.output.hasPrefix(#"{"calls": 1}{"calls": 2}"#), "\(recorded)")
        let url = try #require(recorded.output.split(separator: "\n").last)
        #expect(recorded.output.contains(#""upstreams": {"auth": "\#(url)"}"#), "\(recorded.output)")
        #expect(url.hasSuffix("/_up/auth") == ports.isEmpty)
        await api.stop()
        await auth.stop()
        let replayed = try await Program.tapedeck(
            ["replay", "--strict"] + self.ports + ports + [
                "c", "--", "sh", "-c", "curl -s $TAPEDECK_URL_AUTH/counter $TAPEDECK_URL_AUTH/counter",
            ],
            in: folder)
        #expect(replayed.status == 0 && replayed.output == #"{"calls": 1}{"calls": 2}"#, "\(replayed)")
    }

    @Test func aSlipInAVariablesNameIsToldAtStart() async throws {
        let folder = try TemporaryDirectory()
        let run = try await Program.tapedeck(
            ["replay"] + ports + ["--", "true"], in: folder, environment: ["TAPEDECK_STRCT": "1"])
        #expect(run.status == 0 && run.errors.contains("did you mean TAPEDECK_STRICT?"), "\(run.errors)")
        let plain = try await Program.tapedeck(["replay"] + ports + ["--", "true"], in: folder)
        #expect(!plain.errors.contains("TAPEDECK_"), "\(plain.errors)")
    }

    @Test func aHangUpReadsTheConfigurationAgain() async throws {
        let folder = try TemporaryDirectory()
        let file = { (status: Int) in
            #"{"version": 1, "routes": {"a": {"match": "GET /a", "variants": {"default": {"status": \#(status)}}}}}"#
        }
        try Files.writeAtomically(Array(file(201).utf8), to: folder.file("tapedeck.json"))
        try Files.writeAtomically(Array(file(202).utf8), to: folder.file("next.json"))
        let script = """
            code() { curl -s -o /dev/null -w '%{http_code}' $TAPEDECK_URL/a; }
            code; echo '{"version": 1, "routse": {}}' > tapedeck.json; kill -HUP $PPID
            until grep -q 'stays as it was' \(folder.path)/*.err; do :; done; code
            mv next.json tapedeck.json; kill -HUP $PPID; until [ "$(code)" = 202 ]; do :; done; code
            """
        let run = try await Program.tapedeck(["replay"] + ports + ["--", "sh", "-c", script], in: folder)
        #expect(run.output == "201201202", "\(run)")
    }

    @Test func aKilledRecordingSessionLeavesWholeInteractionsAndNoLock() async throws {
        let folder = try TemporaryDirectory()
        let python = try PrintedPortServer.python()
        let record = ["record"] + ports + ["--upstream", python.url, "--no-default-session", "root", "--", "sh", "-c"]
        let make = "\(Program.tapedeck) ctl session r new/one >/dev/null && "
        let killed = try await Program.tapedeck(
            record + [
                make + "for i in 1 2 3; do curl -s -o /dev/null $TAPEDECK_URL/_deck/r/echo/$i -d n=$i; done; "
                    + "until [ -f root/new/one/interactions/post-echo-3.* ]; do :; done; kill -KILL $PPID"
            ], in: folder)
        #expect(killed.status != 0)
        let listed = try await Program.tapedeck(["ls", "--json", "root/new/one"], in: folder)
        #expect(listed.status == 0 && listed.output.contains("post-echo-3"), "\(listed)")
        let again = try await Program.tapedeck(
            record + [
                make
                    + "curl -s -o /dev/null $TAPEDECK_URL/_deck/r/counter; \(Program.tapedeck) ctl close r; ls root/new/one/interactions"
            ], in: folder)
        #expect(again.output.contains("get-counter.") && again.output.contains("recorded 1"), "\(again)")
        await python.stop()
    }
}
