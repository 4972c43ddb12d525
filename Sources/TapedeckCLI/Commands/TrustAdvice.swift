/// What to type so that a client trusts the deck's certificate authority.
struct TrustAdvice: Sendable {
    /// The certificate's file.
    let file: String
    /// The certificate's common name.
    let name: String

    /// A way to trust it: for whom, and what to type.
    private struct Way {
        var whom: String
        var commands: [String]
    }

    private var ways: [Way] {
        let path = quoted(file)
        return [
            Way(
                whom: "one program (best: nothing else trusts it)",
                commands: [
                    "curl --cacert \(path) …",
                    "export NODE_EXTRA_CA_CERTS=\(path)          # Node",
                    "export REQUESTS_CA_BUNDLE=\(path)           # Python's requests",
                    "export SSL_CERT_FILE=\(path)                # OpenSSL's programs, Python's ssl, Ruby, Go on Linux",
                    "keytool -importcert -noprompt -alias tapedeck -file \(path) -keystore tapedeck.p12 -storepass changeit",
                    "java -Djavax.net.ssl.trustStore=tapedeck.p12 -Djavax.net.ssl.trustStorePassword=changeit …",
                ]),
            Way(whom: "a booted iOS simulator", commands: ["xcrun simctl keychain booted add-root-cert \(path)"]),
            Way(
                whom: "macOS, for your user",
                commands: [
                    "security add-trusted-cert -r trustRoot -p ssl -k ~/Library/Keychains/login.keychain-db \(path)",
                    "security remove-trusted-cert \(path)         # and back",
                ]),
            Way(
                whom: "Debian and Ubuntu, the whole system",
                commands: [
                    "sudo cp \(path) /usr/local/share/ca-certificates/tapedeck.crt && sudo update-ca-certificates",
                    "sudo rm /usr/local/share/ca-certificates/tapedeck.crt && sudo update-ca-certificates --fresh   # and back",
                ]),
            Way(
                whom: "an iPhone or iPad",
                commands: [
                    "send it \(path) (AirDrop, mail), install the profile, then switch it on under",
                    "Settings > General > About > Certificate Trust Settings",
                ]),
        ]
    }

    var lines: [String] {
        ["\(name) is in \(file). Nothing was changed; to trust it:"]
            + ways.flatMap { way in ["", "\(way.whom):"] + way.commands.map { "  \($0)" } }
            + ["", "Programs of tapedeck record … -- COMMAND find the file in TAPEDECK_CA_FILE."]
    }

    /// A path as a shell takes it.
    private func quoted(_ path: String) -> String {
        let plain = path.utf8.allSatisfy { octet in
            (octet | 0x20) >= 0x61 && (octet | 0x20) <= 0x7A || octet >= 0x30 && octet <= 0x39
                || "/._-+".utf8.contains(octet)
        }
        return plain
            ? path
            : "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
