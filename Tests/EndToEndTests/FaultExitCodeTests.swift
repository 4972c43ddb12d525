import Foundation
import SystemIO
import TestSupport
import Testing

/// What curl makes of each fault, by its exit code: the table in README is made from this.
@Suite struct FaultExitCodeTests {
    /// Variant, curl's options, curl's exit code.
    static let table: [(variant: String, options: String, code: Int)] = [
        ("timeout", "", 28), ("stall", "", 28), ("offline", "", 56), ("connectionReset", "", 56),
        ("emptyResponse", "", 52),
        ("truncatedBody", "", 18), ("malformedResponse", "", 1), ("malformedChunk", "", 56), ("wrongCoding", "", 0),
        ("wrongCoding", "--compressed", 61), ("redirectLoop", "", 0), ("redirectLoop", "-L --max-redirs 5", 47),
        ("stall-head", "", 28), ("truncatedBody-head", "", 18), ("connectionReset-head", "", 56),
        ("stall-allButEnd", "", 28), ("truncatedBody-allButEnd", "", 18), ("connectionReset-allButEnd", "", 56),
        ("stall-nothing", "", 28), ("truncatedBody-nothing", "", 52), ("connectionReset-nothing", "", 56),
    ]

    @Test func curlEndsAsDocumented() async throws {
        let folder = try TemporaryDirectory()
        let routes = Self.table.enumerated().map { index, row in
            let parts = row.variant.split(separator: "-")
            let sends = parts.count > 1 ? #", "sends": "\#(parts[1])""# : ""
            let own = #"{"fault": "\#(parts[0])"\#(sends)}"#
            return #""r\#(index)": {"match": "GET /\#(index)", "variants": {"default": \#(own)}}"#
        }
        let configuration = #"{"version": 1, "routes": {\#(routes.joined(separator: ", "))}}"#
        try Files.writeAtomically(Array(configuration.utf8), to: folder.file("tapedeck.json"))
        let calls = Self.table.enumerated().map { index, row in
            "(curl -s -o /dev/null --max-time 2 \(row.options) $TAPEDECK_URL/\(index); echo \(index) $? > code.\(index)) &"
        }
        let script = calls.joined(separator: "\n") + "\nwait\n"
        try Files.writeAtomically(Array(script.utf8), to: folder.file("ask.sh"))
        let run = try await Program.tapedeck(
            ["replay", "--listen", "localhost:0", "--control", "off", "--", "sh", "ask.sh"], in: folder)
        #expect(run.status == 0, "\(run.errors)")
        for (index, row) in Self.table.enumerated() {
            let code = String(decoding: try Files.read(folder.file("code.\(index)")), as: UTF8.self)
            #expect(code == "\(index) \(row.code)\n", "\(row.variant) \(row.options)")
        }
    }

    @Test func aPortThatIsOfflineRefusesCurl() async throws {
        let folder = try TemporaryDirectory()
        let configuration =
            #"{"version": 1, "routes": {"a": {"match": "GET /a", "variants": {"default": {"status": 200}}}}}"#
        try Files.writeAtomically(Array(configuration.utf8), to: folder.file("tapedeck.json"))
        let script = #"""
            api() { curl -s -X "$1" -H 'Content-Type: application/json' -d "$3" "$TAPEDECK_CONTROL_URL$2"; }
            url=$(api POST /sessions '{"name": "s", "port": true}' | tr -d '\\' | sed -n 's/.*"url" : "\(.*\)".*/\1/p')
            for offline in true false; do
                api PUT '/offline?session=s' "{\"offline\": $offline}" > offline.json
                curl -s -o body "$url/a"; echo $?
            done
            """#
        let run = try await Program.tapedeck(
            ["replay", "--listen", "localhost:0", "--control", "localhost:0", "--", "sh", "-c", script], in: folder)
        #expect(run.output == "7\n0\n", "\(run.errors)")
    }

    @Test func hupAndWatchReadTheConfigurationAgain() async throws {
        let folder = try TemporaryDirectory()
        let text = { (status: Int) in
            Array(
                #"{"version": 1, "routes": {"a": {"match": "GET /a", "variants": {"default": {"status": \#(status)}}}}}"#
                    .utf8)
        }
        try Files.writeAtomically(text(201), to: folder.file("tapedeck.json"))
        try Files.writeAtomically(text(202), to: folder.file("second.json"))
        try Files.writeAtomically(text(203), to: folder.file("third.json"))
        let script = """
            until_status() { for _ in $(seq 2000); do
                [ "$(curl -s -o /dev/null -w '%{http_code}' $TAPEDECK_URL/a)" = $1 ] && echo $1 && return; done; }
            until_status 201; cp second.json tapedeck.json; kill -HUP $PPID; until_status 202
            cp third.json tapedeck.json; until_status 203
            """
        let run = try await Program.tapedeck(
            ["replay", "--watch", "--listen", "localhost:0", "--control", "off", "--", "sh", "-c", script], in: folder)
        #expect(run.output == "201\n202\n203\n", "\(run.errors)")
    }

    @Test func anAppThatRefreshesItsTokenMeetsOne401() async throws {
        let folder = try TemporaryDirectory()
        let configuration = #"""
            {"version": 1, "scenario": "expired", "scenarios": {"expired": {"*": "tokenExpired"}}, "routes": {
              "token": {"match": "POST /token", "auth": true, "variants": {"default": {"status": 200, "body": {"token": "n"}}}},
              "a": {"match": "GET /a", "variants": {"default": {"status": 200}}},
              "b": {"match": "GET /b", "variants": {"default": {"status": 200}}}}}
            """#
        try Files.writeAtomically(Array(configuration.utf8), to: folder.file("tapedeck.json"))
        let script = """
            status() { curl -s -o /dev/null -w '%{http_code}' "$@"; }
            ask() { code=$(status $TAPEDECK_URL$1); echo "$1 $code"
                if [ $code = 401 ]; then echo "token $(status -X POST $TAPEDECK_URL/token)"; ask $1; fi; }
            for path in /a /b /a /b /c; do ask $path; done
            """
        let run = try await Program.tapedeck(
            ["replay", "--listen", "localhost:0", "--control", "off", "--", "sh", "-c", script], in: folder)
        #expect(run.output == "/a 401\ntoken 200\n/a 200\n/b 200\n/a 200\n/b 200\n/c 599\n", "\(run.errors)")
    }
}
