import CCurl

/// Turns libcurl's codes into words (`libcurl-errors(3)`).
enum CurlErrors {
    /// What the words need to know about the transfer.
    struct Context {
        /// libcurl's own words, empty if it has none.
        var text: String
        /// The system's number of a failed connect, 0 if there is none.
        var systemError: Int32
        /// `HOST:PORT` of the upstream, or of what it is replaced with.
        var upstream: String
        /// Whether an octet of the answer was seen.
        var hasAnswer: Bool
    }

    /// What a code means for the exchange: the status of the answer, a fixed label, and what to do about it.
    private struct Meaning {
        var status = 502
        var label: String
        var advice: String
    }

    static func error(_ code: Int32, _ context: Context) -> UpstreamError {
        let code = CURLcode(UInt32(bitPattern: code))
        if code == CURLE_PARTIAL_FILE {
            return .cut(words(code, context), context.upstream, code: Int(code.rawValue))
        }
        // libcurl has a limit of its own, and no code of its own for it.
        let isTooLarge = context.text.hasPrefix("Too large response headers")
        let meaning = meaning(of: isTooLarge ? CURLE_WEIRD_SERVER_REPLY : code, context)
        return UpstreamError(
            status: meaning.status, label: meaning.label,
            message: "\(context.upstream): \(words(code, context)). \(meaning.advice)", curlCode: Int(code.rawValue))
    }

    /// libcurl's words for a code.
    static func text(_ code: Int32) -> String {
        String(cString: curl_easy_strerror(CURLcode(UInt32(bitPattern: code))))
    }

    /// libcurl's words about this transfer, or else about the code; without a full stop.
    private static func words(_ code: CURLcode, _ context: Context) -> String {
        let text = context.text.isEmpty ? Self.text(Int32(bitPattern: code.rawValue)) : context.text
        return text.last == "." || text.last == "\n" ? String(text.dropLast()) : text
    }

    private static func meaning(of code: CURLcode, _ context: Context) -> Meaning {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            Meaning(
                label: "upstream-name",
                advice:
                    "The host name was not found: check the spelling in --upstream, the network and the name server.")
        case CURLE_COULDNT_CONNECT:
            Meaning(label: "upstream-connect", advice: "Is the backend running at \(context.upstream)?")
        case CURLE_OPERATION_TIMEDOUT:
            Meaning(
                status: 504, label: "upstream-connect-timeout",
                advice:
                    "No connection came about in time: is \(context.upstream) the right address, and is it reachable from here?"
            )
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
            Meaning(
                label: "upstream-tls-verify",
                advice: "The certificate is not trusted here: name its authority with --upstream-ca FILE, "
                    + "or, for a machine of your own, use --upstream-insecure.")
        case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE:
            Meaning(
                label: "upstream-tls-files",
                advice: "The file of certificates could not be read: --upstream-ca wants a file in PEM.")
        case CURLE_SSL_CERTPROBLEM:
            Meaning(
                label: "upstream-tls-files",
                advice:
                    "The client's certificate could not be used: --upstream-cert wants a file in PEM with certificate and key."
            )
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED:
            Meaning(
                label: "upstream-tls",
                advice: "The TLS handshake failed: does \(context.upstream) speak TLS? If not, name it with http://.")
        case CURLE_GOT_NOTHING:
            Meaning(
                label: "upstream-empty",
                advice: "The upstream closed the connection without an answer: look into its log.")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            Meaning(
                label: context.hasAnswer ? "upstream-reset" : "upstream-gone",
                advice: "The upstream ended the connection: look into its log.")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_BAD_CONTENT_ENCODING:
            Meaning(
                label: "upstream-malformed",
                advice:
                    "The answer is not HTTP/1.1: is \(context.upstream) a web server, and should it be named with https://?"
            )
        case CURLE_OUT_OF_MEMORY:
            // libcurl says the same of a field line over 100 KiB, which it does not take.
            Meaning(
                label: "upstream-memory",
                advice: "A field of the answer is longer than 100 KiB, or the machine is short of memory.")
        default:
            Meaning(
                label: "upstream-failed",
                advice: "The exchange failed in libcurl (code \(code.rawValue)).")
        }
    }
}
