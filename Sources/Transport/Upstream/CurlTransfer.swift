import CCurl
import HTTPCore

extension CurlEasy {
    /// Sets everything about a transfer but its callbacks. The request must have been checked.
    func setTransfer(_ request: UpstreamRequest, _ options: UpstreamOptions) {
        setTarget(request)
        setMethod(request)
        setPlainness()
        setConnection(request, options)
        if request.scheme == "https" { setTLS(options) }
    }

    private func setTarget(_ request: UpstreamRequest) {
        // The URL's path is never sent: libcurl would squash its dots, cut it at `#` and escape its octets.
        set(CURLOPT_URL, "\(request.scheme)://\(request.authority.text)/")
        set(CURLOPT_REQUEST_TARGET, octets: request.target)
        setLines(UpstreamLines.lines(for: request))
    }

    private func setMethod(_ request: UpstreamRequest) {
        if request.method == "HEAD" {
            set(CURLOPT_NOBODY, 1)
            return
        }
        if request.hasContent {
            set(CURLOPT_UPLOAD, 1)
            if case .length(let length) = request.body { set(CURLOPT_INFILESIZE_LARGE, offset: length) }
            // Whatever the status, the upload goes on: else libcurl would stop at some and not at others.
            set(CURLOPT_KEEP_SENDING_ON_ERROR, 1)
        }
        if request.hasContent || request.method != "GET" { set(CURLOPT_CUSTOMREQUEST, request.method) }
    }

    /// Takes from libcurl what it would do to be helpful.
    private func setPlainness() {
        set(CURLOPT_HTTP_TRANSFER_DECODING, 0)
        set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        set(CURLOPT_FOLLOWLOCATION, 0)
        // An empty name switches off the proxies of the environment, which could be this program.
        set(CURLOPT_PROXY, "")
        set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_NOPROGRESS, 1)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        // Else a TLS upstream would answer in HTTP/2: names in lower case and no reason phrase.
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    }

    private func setConnection(_ request: UpstreamRequest, _ options: UpstreamOptions) {
        // On a kept connection that turns out stale libcurl sends the request again.
        let mayRepeat = ["GET", "HEAD", "OPTIONS"].contains(request.method) && !request.hasContent
        if !mayRepeat { set(CURLOPT_FRESH_CONNECT, 1) }
        set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(clamping: options.connectTimeout.wholeNanoseconds / 1_000_000)))
        set(CURLOPT_BUFFERSIZE, 131_072)
        if let (host, port) = options.connectTo { setConnectTo(host, port) }
    }

    private func setTLS(_ options: UpstreamOptions) {
        if let caFile = options.caFile { set(CURLOPT_CAINFO, caFile) }
        if let certificate = options.clientCert {
            set(CURLOPT_SSLCERT, certificate)
            set(CURLOPT_SSLKEY, certificate)
        }
        if options.insecure {
            set(CURLOPT_SSL_VERIFYPEER, 0)
            set(CURLOPT_SSL_VERIFYHOST, 0)
        }
    }
}
