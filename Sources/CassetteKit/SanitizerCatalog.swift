/// What people read of a rule: what it hides, and why.
package struct SanitizerNote: Sendable, Equatable {
    package var id: String
    /// What is hidden, in a phrase.
    package var what: String
    /// What harm it would do in a cassette, in a phrase.
    package var why: String
    /// Whether it holds unless it is switched off.
    package var isDefault: Bool

    /// All built-in rules, in their order: those that hold, then those that can be switched on.
    package static var all: [SanitizerNote] {
        let rules = SanitizerRule.defaults.map { ($0.id, true) } + SanitizerRule.optional.map { ($0.id, false) }
        return rules.map { id, isDefault in
            let words = table[id] ?? ("", "")
            return SanitizerNote(id: id, what: words.what, why: words.why, isDefault: isDefault)
        }
    }

    private static let table: [String: (what: String, why: String)] = [
        "authorization": (
            "credentials in Authorization and its like; the scheme's word stays",
            "whoever reads them can act as the user"
        ),
        "cookies": ("values of cookies, both ways; names and attributes stay", "a session can be taken over with them"),
        "passwords": ("values named password, pwd, passphrase and the like", "they open the account, and often others"),
        "tokens": ("values named token, access_token, jwt and the like", "they stand for a login"),
        "api-keys": ("values named api_key, access_key, secret_key and the like", "they are billed and seldom expire"),
        "client-secrets": (
            "client_secret, assertion, code_verifier, credential", "an app can be impersonated with them"
        ),
        "sessions": ("values named session_id, sid, JSESSIONID and the like", "a session can be taken over with them"),
        "anti-forgery": ("CSRF and XSRF tokens, in HTML forms too", "they are bound to a session"),
        "signatures": ("sig, signature, hmac of URLs and webhooks", "a signed request can be sent again"),
        "one-time-codes": ("otp, mfa_code, recovery_code, cvv and the like", "some of them stay valid"),
        "pins": ("three to ten digits named pin", "they are short and used for long"),
        "keys": ("values named key that look like one", "many services call their API key so"),
        "oauth-codes": ("code beside state, redirect_uri and the like (RFC 6749)", "it buys a token"),
        "userinfo": ("name and password before a URL's host", "connection strings carry passwords there"),
        "digests": (
            "digests and ETags of bodies in which something was hidden; SHA-256 is put right",
            "a short secret can be guessed from them"
        ),
        "jwt": (
            "JSON Web Tokens wherever they stand (RFC 7519)", "they stand for a login, and their claims are personal"
        ),
        "private-keys": ("PEM blocks of private keys (RFC 7468)", "whatever was signed or encrypted with them falls"),
        "github-tokens": ("ghp_…, gho_…, ghs_…, github_pat_…", "they read and write repositories"),
        "gitlab-tokens": ("glpat-…, gldt-…, glrt-…", "they read and write repositories"),
        "slack-tokens": ("xoxb-…, xoxp-…, xapp-…", "they read and write messages"),
        "stripe-keys": ("sk_live_…, rk_live_…, whsec_…, also of test mode", "they move money"),
        "aws-keys": ("AKIA… and ASIA… key ids", "they name an account, and the secret is often near"),
        "google-keys": ("AIza…, ya29.…, GOCSPX-…, refresh tokens", "they are billed, or stand for a login"),
        "openai-keys": ("sk-…, sk-proj-…, sk-ant-…", "they are billed"),
        "provider-tokens": ("tokens of some twenty other providers by their beginning", "they act for an account"),
        "email-addresses": (
            "e-mail addresses outside of domains for documentation", "they name a person"
        ),
        "card-numbers": ("14 to 16 digits of a card issuer that pass Luhn's check", "they are used to pay"),
        "phone-numbers": ("international telephone numbers that begin with +", "they name a person"),
        "ibans": ("bank account numbers whose check is right (ISO 13616)", "they name a person's account"),
    ]
}
