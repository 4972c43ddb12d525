/// Authorization and the like: a scheme's word, which stays, and credentials (RFC 9110 §11.4).
enum SanitizerCredentials {
    /// The words that are known to be schemes; another first word may be part of the secret.
    private static let schemes: Set<String> = [
        "basic", "bearer", "digest", "dpop", "gnap", "hoba", "mutual", "negotiate", "ntlm", "oauth", "privatetoken",
        "scram-sha-1", "scram-sha-256", "vapid", "token", "apikey", "api-key", "jwt", "aws4-hmac-sha256",
        "aws4-ecdsa-p256-sha256", "aws", "signature", "key", "hawk", "sharedkey", "sharedkeylite",
        "sharedaccesssignature", "googlelogin", "splunk", "ssws", "bot", "geniekey", "client-id", "mac", "snowflake",
        "kakaoak", "goog4-rsa-sha256", "goog4-hmac-sha256", "acs", "deepl-auth-key", "klaviyo-api-key",
        "zoho-oauthtoken",
    ]

    /// Parameters that are no secret.
    private static let openParameters: Set<String> = [
        "realm", "algorithm", "qop", "nc", "uri", "username", "signedheaders", "headers", "oauth_version",
        "oauth_signature_method", "version", "charset", "userhash", "scope", "error",
    ]

    /// What stands behind a known scheme's word and spaces; nil if there is no such word.
    static func behindScheme(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Range<Int>? {
        var at = range.lowerBound
        while at < range.upperBound, octets[at] != 0x20, at - range.lowerBound < 32 { at += 1 }
        guard at < range.upperBound, octets[at] == 0x20,
            schemes.contains(String(decoding: octets[range.lowerBound..<at], as: UTF8.self).lowercased())
        else { return nil }
        while at < range.upperBound, octets[at] == 0x20 { at += 1 }
        return at < range.upperBound ? at..<range.upperBound : nil
    }

    /// The values to be hidden in credentials: the secret parameters, or the whole.
    static func secrets(_ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> [Range<Int>] {
        guard let parameters = parameters(octets, range) else { return [range] }
        return parameters.filter { parameter in
            let name = String(decoding: octets[parameter.name], as: UTF8.self).lowercased()
            return !openParameters.contains(name) && !parameter.value.isEmpty
        }.map(\.value)
    }

    /// The parameters if the credentials are a list of `name=value` and nothing else.
    private static func parameters(
        _ octets: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
    ) -> [(name: Range<Int>, value: Range<Int>)]? {
        var found: [(name: Range<Int>, value: Range<Int>)] = []
        var at = range.lowerBound
        while at < range.upperBound {
            while at < range.upperBound, octets[at] == 0x20 || octets[at] == UInt8(ascii: ",") { at += 1 }
            guard at < range.upperBound else { break }
            let name = at
            while at < range.upperBound, octets[at] != UInt8(ascii: "="), octets[at] != 0x20, octets[at] != 0x2C {
                at += 1
            }
            guard at < range.upperBound, octets[at] == UInt8(ascii: "="), at > name else { return nil }
            let equals = at
            at += 1
            if at < range.upperBound, octets[at] == UInt8(ascii: "\"") {
                at += 1
                let value = at
                while at < range.upperBound, octets[at] != UInt8(ascii: "\"") {
                    at += octets[at] == UInt8(ascii: "\\") ? 2 : 1
                }
                guard at < range.upperBound else { return nil }
                found.append((name..<equals, value..<at))
                at += 1
            } else {
                let value = at
                while at < range.upperBound, octets[at] != 0x2C, octets[at] != 0x20 { at += 1 }
                // `abc==` is a token with padding, no parameter.
                if octets[value..<at].allSatisfy({ $0 == UInt8(ascii: "=") }) { return nil }
                found.append((name..<equals, value..<at))
            }
        }
        return found.isEmpty ? nil : found
    }
}

extension SanitizerPass {
    /// The edits for the value of a field that holds credentials.
    mutating func credentials(
        _ octets: Octets, _ range: Range<Int>, rule: Int, name: String, at place: SecretLocation
    ) -> [SanitizerEdit] {
        let behind = SanitizerCredentials.behindScheme(octets, range)
        let secrets = behind.map { SanitizerCredentials.secrets(octets, $0) } ?? [range]
        notePassword(octets, range, behind)
        return secrets.compactMap { secret in
            hide(octets, secret, rule: rule, name: name, at: place).map {
                SanitizerEdit(range: secret, replacement: $0, rule: rule)
            }
        }
    }

    /// Makes the password in Basic credentials (RFC 7617) known by itself.
    private func notePassword(_ octets: Octets, _ range: Range<Int>, _ behind: Range<Int>?) {
        guard case .store(let ledger, let origin) = mode, let behind, octets[range.lowerBound] | 0x20 == 0x62,
            let decoded = Base64.decode(octets, behind), let colon = decoded.firstIndex(of: UInt8(ascii: ":"))
        else { return }
        let password = Array(decoded[(colon + 1)...])
        guard password.count >= SecretLedger.trackedLength else { return }
        _ = ledger.placeholder(for: password, name: "password", origin: origin, tracking: .everywhere, order: order)
    }
}
