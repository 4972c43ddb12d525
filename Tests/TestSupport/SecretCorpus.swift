import Codecs
package import HTTPCore

/// Invented secrets planted in exchanges: over every place and encoding, each once.
package struct SecretCorpus: Sendable {
    package struct Plant: Sendable {
        /// Where and how it was planted.
        package var label: String
        package var secret: String
        package var method: String
        /// Begins with `/cN`, where N is the plant's number.
        package var target: [UInt8]
        package var fields: Fields
        package var body: [UInt8]?
        package var reason: [UInt8]
        package var answered: Fields
        package var answer: [UInt8]
        package var trailers: Fields
        /// The fields of a 103 before the answer; empty for none.
        package var early: Fields
    }

    /// Handed over by name of variable: holds every kind of octet that some encoding spells otherwise.
    package static let literal = #"Lit3ral+/"Secr<t>&%=ü"#
    /// Handed out by the first answer, and used everywhere after it.
    package static let handedOut = "H4nded+Out/T0ken=&x%9<"

    package private(set) var plants: [Plant] = []
    private var count = 0

    package init() {
        login()
        fields()
        targets()
        bodies()
        shapes()
        spellings(Self.literal, "literal")
        spellings(Self.handedOut, "known")
        codings()
    }

    // MARK: Planting

    private mutating func secret() -> String {
        count += 1
        // Letters and digits that no other text of the corpus has.
        return "pl4nt\(count)q" + String(UInt64(count) &* 0x9E37_79B9_7F4A_7C15, radix: 36)
    }

    private mutating func add(
        _ label: String, _ secret: String, _ target: String = "/x", fields: [(String, String)] = [],
        body: [UInt8]? = nil, answer: [UInt8] = octets("{}"), answered: [(String, String)] = [], reason: String = "OK",
        trailers: [(String, String)] = [], early: [(String, String)] = []
    ) {
        plants.append(
            Plant(
                label: label, secret: secret, method: body == nil ? "GET" : "POST",
                target: octets("/c\(plants.count)\(target)"), fields: Fields(fields), body: body,
                reason: octets(reason),
                answered: Fields(answered), answer: answer, trailers: Fields(trailers), early: Fields(early)))
    }

    private mutating func login() {
        add(
            "login", Self.handedOut, "/login",
            answer: octets(#"{"access_token":"\#(Self.handedOut)"}"#), answered: [("Content-Type", "application/json")])
    }

    private mutating func fields() {
        for scheme in [
            "Bearer", "Token", "ApiKey", "Digest username=\"a\", response=", "Signature keyId=\"a\",signature=",
        ] {
            let value = secret()
            add(
                "authorization \(scheme)", value,
                fields: [("Authorization", scheme.hasSuffix("=") ? "\(scheme)\"\(value)\"" : "\(scheme) \(value)")])
        }
        let password = secret()
        add("basic", password, fields: [("Authorization", "Basic \(Self.base64("ada:\(password)"))")])
        for name in [
            "X-Api-Key", "X-Auth-Token", "X-CSRF-Token", "X-Amz-Security-Token", "X-Session-Token", "Private-Token",
            "Proxy-Authorization", "Ocp-Apim-Subscription-Key", "X-Vault-Token", "X-Hub-Signature-256",
        ] {
            let value = secret()
            add("field \(name)", value, fields: [(name, value)])
        }
        for (label, value) in [
            ("aws fields", "AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature="),
            ("two words", "Key and more "),
        ] {
            let own = secret()
            add("authorization \(label)", own, fields: [("Authorization", value + own)])
        }
        let (six, seven, eight, nine, ten) = (secret(), secret(), secret(), secret(), secret())
        add("referer fragment", six, fields: [("Referer", "https://a.test/cb#access_token=\(six)&state=1")])
        add("location userinfo", seven, answered: [("Location", "https://ada:\(seven)@a.test/")])
        add("location query", eight, answered: [("Location", "/cb?code=\(eight)&state=1")])
        add("trailer", nine, trailers: [("X-Auth-Token", nine)])
        add("early hints", ten, early: [("Link", "<https://a.test/?sig=\(ten)>; rel=preload")])
        let phrase = secret()
        add("reason", phrase, reason: "Wrong password=\(phrase)")
        let (one, two, three, four, five) = (secret(), secret(), secret(), secret(), secret())
        add("cookie", one, fields: [("Cookie", "theme=dark; sid=\(one)")])
        add("set-cookie", two, answered: [("Set-Cookie", "sid=\(two); Path=/; HttpOnly")])
        add("referer query", three, fields: [("Referer", "https://a.test/?access_token=\(three)")])
        add("referer userinfo", four, fields: [("Referer", "https://ada:\(four)@a.test/")])
        add("location fragment", five, answered: [("Location", "https://a.test/cb#id_token=\(five)&state=1")])
    }

    private static let names = [
        "access_token", "refresh_token", "id_token", "client_secret", "password", "newPassword", "api_key", "apikey",
        "secret", "assertion", "code_verifier", "session_id", "csrf_token", "signature", "X-Amz-Signature",
        "auth_token",
        "private_key", "passphrase", "otp", "device_code", "authenticity_token", "jwt",
    ]

    private mutating func targets() {
        for name in Self.names {
            let value = secret()
            add("query \(name)", value, "/q?\(name)=\(value)")
        }
        let (segment, item) = (secret(), secret())
        add("path parameter", segment, "/p;jsessionid=\(segment)/y")
        add("json in a query", item, "/q?v=%7B%22token%22%3A%22\(item)%22%7D")
        let code = secret()
        add("oauth code", code, "/cb?code=\(code)&state=1")
    }

    private mutating func bodies() {
        let json = [("Content-Type", "application/json")]
        for name in Self.names {
            let (one, two, three) = (secret(), secret(), secret())
            add("json \(name)", one, fields: json, body: octets(#"{"a":[{"b":{"\#(name)":"\#(one)"}}]}"#))
            add("answer json \(name)", two, answer: octets(#"[{"\#(name)": "\#(two)"}]"#), answered: json)
            add(
                "form \(name)", three, fields: [("Content-Type", "application/x-www-form-urlencoded")],
                body: octets("a=1&\(name)=\(three)&b=2"))
        }
        for (label, make) in Self.texts {
            let (one, two) = (secret(), secret())
            add("body \(label)", one, body: octets(make(one)))
            add("answer \(label)", two, answer: octets(make(two)))
        }
        let (one, two, three, four) = (secret(), secret(), secret(), secret())
        let multipart = [("Content-Type", "multipart/form-data; boundary=b")]
        func part(_ head: String, _ content: String) -> String {
            "--b\r\nContent-Disposition: form-data; \(head)\r\n\r\n\(content)\r\n"
        }
        add("multipart field", one, fields: multipart, body: octets(part("name=\"password\"", one) + "--b--\r\n"))
        let head = "name=\"a\"\r\nX-Auth-Token: \(three)"
        add("multipart part head", three, fields: multipart, body: octets(part(head, "x") + "--b--\r\n"))
        let file = "name=\"f\"; filename=\"a.txt\""
        add("multipart file", four, fields: multipart, body: octets(part(file, "password=\(four)\n") + "--b--\r\n"))
        add(
            "multipart json", two, fields: multipart,
            body: octets(part("name=\"meta\"", #"{"token":"\#(two)"}"#) + "--b--\r\n"))
    }

    /// Bodies that hold a secret under a name in some structure.
    private static let texts: [(String, @Sendable (String) -> String)] = [
        ("json in a string", { #"{"a":"{\"token\":\"\#($0)\"}"}"# }),
        ("json in a string in a string", { #"{"a":"{\"b\":\"{\\\"token\\\":\\\"\#($0)\\\"}\"}"}"# }),
        ("escaped json", { #"{"token":"\u0070\#($0.dropFirst())"}"# }),
        ("graphql variable", { #"{"query":"mutation($p:String!){login(p:$p)}","variables":{"password":"\#($0)"}}"# }),
        ("graphql literal", { #"{"query":"mutation{login(password:\"\#($0)\"){id}}"}"# }),
        ("xml element", { "<a><password>\($0)</password></a>" }),
        ("xml attribute", { "<a password=\"\($0)\"/>" }),
        ("html input", { "<input type=\"hidden\" name=\"csrf_token\" value=\"\($0)\">" }),
        ("html input turned", { "<input value=\"\($0)\" name=\"csrf_token\">" }),
        ("html meta", { "<meta name='csrf-token' content='\($0)'>" }),
        ("text assignment", { "export API_KEY=\($0)\n" }),
        ("yaml", { "db:\n  password: \($0)\n  port: 1\n" }),
        ("broken json", { #"{"token":"\#($0)","# }),
        ("connection string", { "postgres://app:\($0)@db/x" }),
        ("key-value connection string", { "Server=db;Password=\($0);Timeout=3" }),
        ("base64 of json", { #"{"data":"\#(base64(#"{"password":"\#($0)"}"#))"}"# }),
        ("base64 of text", { "data: \(base64("user=ada&password=\($0)")) end" }),
        ("base64url of json", { #"{"data":"\#(base64(#"{"password":"\#($0)","x":"???>>>"}"#, isURL: true))"}"# }),
        ("json in base64 in json in a string", { #"{"a":"{\"b\":\"\#(base64(#"{"token":"\#($0)"}"#))\"}"}"# }),
        ("base64url of text", { "data: \(base64("user=ada?>&password=\($0)", isURL: true)) end" }),
        (
            "jwt head",
            {
                let head = base64(#"{"alg":"HS256","kid":"\#($0)"}"#, isURL: true).replacing("=", with: "")
                return "x \(head).eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl y"
            }
        ),
        (
            "pem in json",
            { #"{"key_file":"-----BEGIN RSA PRIVATE KEY-----\n\#($0)\n-----END RSA PRIVATE KEY-----\n"}"# }
        ),
        ("soap", { "<s:Envelope xmlns:s=\"x\"><s:Body><w:Password>\($0)</w:Password></s:Body></s:Envelope>" }),
        ("lines of json", { "{\"a\":1}\n{\"token\":\"\($0)\"}\n" }),
        ("event stream", { "data: {\"access_token\":\"\($0)\"}\n\n" }),
        ("url in text", { "see https://a.test/?sig=\($0) now" }),
        (
            "jwt claims",
            {
                "x eyJhbGciOiJIUzI1NiJ9.\(base64(#"{"sub":"\#($0)"}"#, isURL: true).replacing("=", with: "")).c2lnbmF0dXJl y"
            }
        ),
        ("pem", { "-----BEGIN PRIVATE KEY-----\n\($0)\n-----END PRIVATE KEY-----\n" }),
        ("name that no rule has", { #"{"tokenValueV2":"\#($0)"}"# }),
    ]

    package static func base64(_ text: String, isURL: Bool = false) -> String {
        base64Encoded(octets(text), isURL: isURL)
    }

    // MARK: Shapes, spellings, codings

    private mutating func shapes() {
        let long = "Q7z" + String(repeating: "4kX9", count: 15)
        let hex = String(repeating: "9f3c", count: 16)
        let upper = String(repeating: "Q7ZK", count: 15)
        let given: [(String, String, Int)] = [
            ("ghp_", long, 36), ("gho_", long, 36), ("ghs_", long, 36), ("github_pat_", long, 40), ("glpat-", long, 20),
            ("xoxb-", long, 30), ("xoxp-", long, 30), ("xapp-", long, 30), ("sk_live_", long, 24),
            ("rk_live_", long, 24),
            ("whsec_", long, 32), ("AKIA", upper, 16), ("ASIA", upper, 16), ("AIza", long, 35), ("ya29.", long, 40),
            ("GOCSPX-", long, 28), ("sk-proj-", long, 40), ("sk-ant-", long, 40), ("SG.", long, 40), ("npm_", long, 36),
            ("pypi-", long, 50), ("hf_", long, 34), ("dop_v1_", hex, 64), ("shpat_", hex, 32), ("glsa_", long, 32),
            ("lin_api_", long, 40), ("figd_", long, 40), ("ATATT3", long, 50), ("hvs.", long, 24), ("dapi", hex, 32),
        ]
        for (prefix, tail, length) in given {
            let value = prefix + tail.prefix(length)
            add("shape \(prefix) json", value, answer: octets(#"{"note":"see \#(value)!"}"#))
            add("shape \(prefix) query", value, "/s?note=\(value)")
        }
        add("e-mail", "ada.pl4nt@corp.io", answer: octets(#"{"to":"ada.pl4nt@corp.io"}"#))
        add("card", "4111111111111111", answer: octets(#"{"n":"4111 1111 1111 1111","m":4111111111111111}"#))
    }

    /// A secret that is known, in every spelling and place.
    private mutating func spellings(_ secret: String, _ label: String) {
        let percent = octets(secret).map { octet in
            "%" + (octet < 16 ? "0" : "") + String(octet, radix: 16, uppercase: true)
        }.joined()
        let json = secret.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let html = secret.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
        let escaped = secret.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
        let header = String(decoding: octets(secret), as: UTF8.self)
        add("\(label) path", secret, "/p/\(percent)/y")
        add("\(label) query", secret, "/p?foo=\(percent)")
        add("\(label) field", secret, fields: [("X-Copy", "a \(header) b")])
        add("\(label) json", secret, answer: octets(#"{"t":"\#(json)"}"#))
        add("\(label) json inside", secret, answer: octets(#"{"t":"a \#(json) b"}"#))
        add("\(label) json unicode", secret, answer: octets(#"{"t":"\#(escaped)"}"#))
        add("\(label) text", secret, answer: octets("a \(secret) b"))
        add("\(label) html", secret, answer: octets("<p>\(html)</p>"))
        add("\(label) percent in text", secret, answer: octets("<a href=\"/?u=\(percent)\">"))
        add(
            "\(label) form", secret, fields: [("Content-Type", "application/x-www-form-urlencoded")],
            body: octets("foo=\(percent)"))
        add("\(label) binary", secret, answer: [0, 255, 0] + octets(secret) + [0, 254])
        for shift in 0..<3 {
            let wrapped = [UInt8](repeating: 0xF0, count: shift) + octets(secret) + [0xF1, 0xF2]
            for isURL in [false, true] {
                add(
                    "\(label) base64 \(shift) \(isURL)", secret,
                    answer: octets("x \(base64Encoded(wrapped, isURL: isURL)) y"))
            }
        }
        add("\(label) base64 of text", secret, answer: octets(#"{"b":"\#(Self.base64("hello \(secret) world"))"}"#))
    }

    private mutating func codings() {
        for coding in ContentCoding.allCases {
            let (one, two, three) = (secret(), secret(), secret())
            func coded(_ text: String) -> [UInt8] { (try? encodeContent(octets(text), coding)) ?? [] }
            let named = [("Content-Encoding", coding.rawValue), ("Content-Type", "application/json")]
            add("\(coding.rawValue) request", one, fields: named, body: coded(#"{"token":"\#(one)"}"#))
            add("\(coding.rawValue) answer", two, answer: coded(#"{"token":"\#(two)"}"#), answered: named)
            let long = #"{"token":"\#(three)","fill":"\#(String(repeating: "abcdefgh", count: 40))"}"#
            add("\(coding.rawValue) cut", three, answer: Array(coded(long).dropLast(8)), answered: named)
        }
        let (one, two, three, four, five) = (secret(), secret(), secret(), secret(), secret())
        func gzip(_ text: String) -> [UInt8] { (try? encodeContent(octets(text), .gzip)) ?? [] }
        let named = [("Content-Encoding", "gzip")]
        add("two members", one, answer: gzip("password=") + gzip(one), answered: named)
        add("trailing octets", two, answer: gzip("x") + octets("password=\(two)"), answered: named)
        add("gzip file", three, answer: gzip(#"{"password":"\#(three)"}"#))
        add(
            "two codings", four, answer: (try? encodeContent(gzip("password=\(four)"), .br)) ?? [],
            answered: [("Content-Encoding", "gzip, br")])
        let wide = #"{"password":"\#(five)"}"#.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        add("utf-16", five, answer: [0xFF, 0xFE] + wide)
    }
}

private func octets(_ text: String) -> [UInt8] { Array(text.utf8) }
