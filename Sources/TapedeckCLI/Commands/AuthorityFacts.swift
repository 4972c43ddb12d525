import CassetteKit
import HTTPCore
import SystemIO
import Transport

/// What is told of a certificate authority: all but its key.
struct AuthorityFacts: Sendable {
    private let certificate: Certificate
    private let file: String

    init(_ certificate: Certificate, file: String) {
        self.certificate = certificate
        self.file = file
    }

    private var facts: [(name: String, value: String)] {
        let validity = certificate.validity
        return [
            ("name", certificate.commonName), ("file", file),
            ("from", Timestamp(milliseconds: validity.lowerBound * 1_000).date),
            ("to", Timestamp(milliseconds: validity.upperBound * 1_000).date), ("sha256", certificate.fingerprint),
            ("signsFor", certificate.isConstrained ? "the hosts named in it" : "any host"),
        ]
    }

    /// For people, a line each.
    var lines: [String] {
        let labels = [
            "name": "name", "file": "certificate", "from": "valid from", "to": "valid to", "sha256": "SHA-256",
        ]
        return facts.map { name, value in
            let label = labels[name] ?? "signs for"
            return label + String(repeating: " ", count: 13 - label.count) + value
        }
    }

    /// For machines.
    var json: Bytes {
        JSONText.write(
            .object(facts.map { JSONMember($0.name, .string(JSONString($0.value))) }),
            layout: JSONLayout(.indent2, lf: true))
    }
}
