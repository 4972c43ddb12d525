extension SanitizerRule {
    /// The rules that hold unless they are switched off by id.
    package static let defaults: [SanitizerRule] =
        [
            SanitizerRule(
                id: "authorization",
                kind: .credentials(fields: [
                    "Authorization", "Proxy-Authorization", "Authentication", "X-Forwarded-Authorization",
                    "X-Original-Authorization",
                ])),
            SanitizerRule(id: "cookies", kind: .cookies),
            SanitizerRule(id: "passwords", kind: .names(passwords)),
            SanitizerRule(id: "tokens", kind: .names(tokens)),
            SanitizerRule(id: "api-keys", kind: .names(apiKeys)),
            SanitizerRule(id: "client-secrets", kind: .names(clientSecrets)),
            SanitizerRule(id: "sessions", kind: .names(sessions)),
            SanitizerRule(id: "anti-forgery", kind: .names(antiForgery)),
            SanitizerRule(id: "signatures", kind: .names(signatures)),
            SanitizerRule(id: "one-time-codes", kind: .names(SecretNames(exact: oneTimeCodes))),
            SanitizerRule(
                id: "pins", kind: .names(SecretNames(exact: ["pin", "pincode"], parts: .items, condition: .digits))),
            SanitizerRule(
                id: "keys",
                kind: .names(SecretNames(exact: ["key", "k"], parts: [.query, .form, .json], condition: .keyShaped))),
            SanitizerRule(
                id: "oauth-codes", kind: .names(SecretNames(exact: ["code"], parts: .items, condition: .oauth))),
            SanitizerRule(id: "userinfo", kind: .userinfo),
            SanitizerRule(id: "digests", kind: .digests),
        ] + SecretShape.allCases.map { SanitizerRule(id: $0.rawValue, kind: .shape($0)) }
        + [SecretPattern.email, .card].map { SanitizerRule(id: $0.rawValue, kind: .pattern($0)) }

    /// Rules that hold where they are switched on by id.
    package static let optional: [SanitizerRule] = [SecretPattern.phone, .iban].map {
        SanitizerRule(id: $0.rawValue, kind: .pattern($0))
    }

    /// Whether this is one of the defaults, perhaps with another action.
    var isBuiltIn: Bool { Self.defaults.contains { $0.id == id && $0.kind == kind } }

    private static let passwords = SecretNames(
        exact: ["pwd", "passwd", "pass", "passphrase", "passcode", "j_password"],
        suffixes: ["password", "passwd", "passphrase", "newpwd", "oldpwd", "userpwd"])

    private static let tokens = SecretNames(
        exact: [
            "token", "tokens", "jwt", "bearer", "authorization", "x_auth", "cookie", "set_cookie", "cookies",
            "device_token", "push_token", "registration_token", "reset_token", "invite_token", "verification_token",
            "magic_token", "login_token", "api_token", "user_token", "private_token", "job_token", "deploy_token",
            "subject_token", "actor_token", "logout_token", "request_token", "oauth_token", "oauth_verifier",
            "secure_token", "x_token", "x_vault_token", "x_shopify_access_token", "x_figma_token", "x_gitlab_token",
        ],
        suffixes: [
            "access_token", "refresh_token", "id_token", "auth_token", "session_token", "security_token",
            "bearer_token",
            "private_token", "api_token", "service_token", "user_token", "signed_token", "jwt_token",
        ])

    private static let apiKeys = SecretNames(
        exact: ["x_functions_key", "x_master_key", "x_rapidapi_key", "x_algolia_api_key", "dd_application_key"],
        suffixes: ["api_key", "access_key", "secret_key", "private_key", "subscription_key", "auth_key", "account_key"])

    private static let clientSecrets = SecretNames(
        exact: [
            "secret", "secrets", "client_assertion", "assertion", "saml_response", "code_verifier", "device_code",
            "authorization_code", "auth_code", "credential", "x_amz_credential", "aws_secret_access_key",
        ],
        suffixes: ["secret"])

    private static let sessions = SecretNames(
        exact: [
            "session", "sid", "jsessionid", "phpsessid", "aspsessionid", "asp_net_session_id", "connect_sid",
            "x_session",
            "session_key", "sess",
        ],
        suffixes: ["session_id"],
        parts: [.fields, .query, .form, .json, .text])

    private static let antiForgery = SecretNames(
        exact: ["csrf", "xsrf", "_csrf", "authenticity_token", "__request_verification_token", "csrfmiddlewaretoken"],
        suffixes: ["csrf_token", "xsrf_token", "csrf_param_token"])

    private static let signatures = SecretNames(
        exact: [
            "sig", "signature", "x_amz_signature", "x_goog_signature", "x_goog_credential", "x_signature", "hmac",
            "x_hub_signature", "x_hub_signature_256", "oauth_signature", "x_twilio_signature", "x_slack_signature",
        ],
        suffixes: ["hmac_signature"])

    private static let oneTimeCodes = [
        "otp", "totp", "otp_code", "totp_code", "mfa_code", "two_factor_code", "verification_code", "sms_code", "x_otp",
        "x_github_otp", "recovery_code", "backup_code", "one_time_code", "one_time_password", "security_code", "cvv",
        "cvc",
    ]

    /// Names that make a `code` beside them an authorization code (RFC 6749 §4.1).
    static let oauthCompanions = [
        "grant_type", "redirect_uri", "client_id", "state", "code_verifier", "session_state", "iss", "scope",
    ]
}
