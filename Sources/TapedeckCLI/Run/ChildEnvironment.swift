/// What a command after `--` finds in its environment.
package struct ChildEnvironment: Sendable {
    /// The deck's base URL.
    package var proxy: String
    /// The control API's base URL; nil if it is off.
    package var control: String?
    /// The certificate authority's file; nil where nothing is intercepted.
    package var authorityFile: String?
    /// Whether the deck is to be the command's HTTP proxy, too.
    package var isProxy: Bool
    /// The base URLs of upstreams: `TAPEDECK_URL_NAME` for each.
    package var upstreams: [(name: String, url: String)] = []

    package init(proxy: String, control: String? = nil, authorityFile: String? = nil, isProxy: Bool = false) {
        self.proxy = proxy
        self.control = control
        self.authorityFile = authorityFile
        self.isProxy = isProxy
    }

    /// xcodebuild hands variables with the first prefix to the test runner, simctl those with the second to the app.
    private static let prefixes = ["", "TEST_RUNNER_", "SIMCTL_CHILD_"]

    /// The given variables with the deck's own set, or taken away where they would name an address of another deck.
    package func merged(into variables: [String: String]) -> [String: String] {
        var merged = variables
        let values = [
            "TAPEDECK_URL": proxy, "TAPEDECK_CONTROL_URL": control, "TAPEDECK_CA_FILE": authorityFile,
        ]
        let named = upstreams.map { upstream in
            let suffix = upstream.name.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
            return ("TAPEDECK_URL_" + suffix, upstream.url)
        }
        for (name, value) in named {
            for prefix in ChildEnvironment.prefixes { merged[prefix + name] = value }
        }
        for (name, value) in values {
            for prefix in ChildEnvironment.prefixes {
                merged[prefix + name] = value
            }
        }
        if isProxy {
            for name in ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"] {
                merged[name] = proxy
            }
        }
        return merged
    }
}
