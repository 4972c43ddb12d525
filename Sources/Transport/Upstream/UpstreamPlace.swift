import HTTPCore

/// Where an exchange's connection goes.
struct UpstreamPlace {
    /// `HOST:PORT`, for messages.
    let text: String
    /// Whether the host is a name that someone must be asked about: no address, and not `localhost`, which libcurl knows.
    let isNamed: Bool

    init(_ request: UpstreamRequest, _ options: UpstreamOptions) {
        let host = options.connectTo?.host ?? request.authority.host
        let port = options.connectTo?.port ?? request.authority.port(defaultFor: request.scheme)
        let isAddress = host.contains(":") || host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
        text = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]:\(port)" : "\(host):\(port)"
        isNamed = !isAddress && host != "localhost" && !host.hasSuffix(".localhost")
    }
}
