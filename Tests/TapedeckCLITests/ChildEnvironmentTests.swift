import Testing

@testable import TapedeckCLI

@Suite struct ChildEnvironmentTests {
    @Test func handsTheAddressesOnUnderAllPrefixes() {
        let merged = ChildEnvironment(proxy: "http://p", control: "http://c").merged(into: ["PATH": "/bin"])
        #expect(
            merged == [
                "PATH": "/bin", "TAPEDECK_URL": "http://p", "TEST_RUNNER_TAPEDECK_URL": "http://p",
                "SIMCTL_CHILD_TAPEDECK_URL": "http://p", "TAPEDECK_CONTROL_URL": "http://c",
                "TEST_RUNNER_TAPEDECK_CONTROL_URL": "http://c", "SIMCTL_CHILD_TAPEDECK_CONTROL_URL": "http://c",
            ])
    }

    @Test func handsUpstreamsOnByName() {
        var environment = ChildEnvironment(proxy: "http://p")
        environment.upstreams = [("auth-2", "http://p:3")]
        #expect(environment.merged(into: [:])["TAPEDECK_URL_AUTH_2"] == "http://p:3")
    }

    @Test func leavesNoAddressOfAnotherDeck() {
        let outer = ["TAPEDECK_CONTROL_URL": "http://other", "SIMCTL_CHILD_TAPEDECK_CA_FILE": "/other.pem"]
        let merged = ChildEnvironment(proxy: "http://p").merged(into: outer)
        #expect(merged["TAPEDECK_CONTROL_URL"] == nil)
        #expect(merged["SIMCTL_CHILD_TAPEDECK_CA_FILE"] == nil)
    }

    @Test func setsProxyVariablesOnlyWhenAsked() {
        let outer = ["http_proxy": "http://corp", "no_proxy": "localhost"]
        let plain = ChildEnvironment(proxy: "http://p").merged(into: outer)
        #expect(plain["http_proxy"] == "http://corp")
        #expect(plain["HTTPS_PROXY"] == nil)
        let proxied = ChildEnvironment(proxy: "http://p", isProxy: true).merged(into: outer)
        for name in ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"] {
            #expect(proxied[name] == "http://p")
        }
        #expect(proxied["no_proxy"] == "localhost")
    }
}
