import HTTPCore

/// The field lines of a request, as `CURLOPT_HTTPHEADER` wants them.
///
/// libcurl puts Host first and sends the others in order; a line `Name;` goes out as `Name:`, and a line `Name:` keeps
/// libcurl from adding that field itself.
enum UpstreamLines {
    static func lines(for request: UpstreamRequest) -> [Bytes] {
        let fields = request.fields
        var lines: [Bytes] = []
        lines.reserveCapacity(fields.count + 3)
        let keepsLength = lengthAgrees(request)
        for index in 0..<fields.count {
            // Sent again silently when refused (RFC 9110 §10.1.1), and answered by whoever reads the client's body.
            if fields.isName("Expect", at: index) || fields.isName("Transfer-Encoding", at: index) { continue }
            if fields.isName("Content-Length", at: index), !keepsLength { continue }
            if fields.value(at: index).isEmpty {
                lines.append(Bytes(fields.name(at: index)) + [UInt8(ascii: ";")])
            } else {
                lines.append(fields.line(at: index))
            }
        }
        if request.body == .length(0), !keepsLength { lines.append(Bytes("Content-Length: 0".utf8)) }
        if !fields.contains("Accept") { lines.append(Bytes("Accept:".utf8)) }
        if !fields.contains("User-Agent") { lines.append(Bytes("User-Agent:".utf8)) }
        if request.hasContent {
            lines.append(Bytes("Expect:".utf8))
            if !fields.contains("Content-Type") { lines.append(Bytes("Content-Type:".utf8)) }
        }
        return lines
    }

    /// Whether the one Content-Length line says what the body will be; any other would put the connection out of step.
    private static func lengthAgrees(_ request: UpstreamRequest) -> Bool {
        guard case .length(let length) = request.body else { return false }
        let values = request.fields.all("Content-Length")
        guard values.count == 1, let value = values.first else { return false }
        return value.elementsEqual(String(length).utf8)
    }

    /// The trailer lines of a request, as `CURLOPT_TRAILERFUNCTION` wants them: those that would change what the message is
    /// are left out (RFC 9110 §6.5.1).
    static func trailerLines(_ trailers: Fields) -> [Bytes] {
        let kept = removeHopByHop(trailers, keepTE: false)
        let barred: [StaticString] = [
            "Content-Length", "Host", "Trailer", "Content-Encoding", "Content-Type", "Expect",
        ]
        return (0..<kept.count).compactMap { index in
            let isBroken = kept.value(at: index).contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }
            if isBroken || barred.contains(where: { kept.isName($0, at: index) }) { return nil }
            return Bytes(kept.name(at: index)) + Bytes(": ".utf8) + Bytes(kept.value(at: index))
        }
    }

    /// Refuses what would break out of its line, whoever let it through.
    static func check(_ request: UpstreamRequest) throws(UpstreamError) {
        guard request.scheme == "http" || request.scheme == "https" else {
            throw refused("the scheme \(request.scheme) is neither http nor https")
        }
        guard !request.method.isEmpty, !request.method.utf8.contains(where: isBreaking) else {
            throw refused("the method holds a control character or a space")
        }
        guard !request.target.isEmpty, !request.target.contains(where: isBreaking) else {
            throw refused("the target holds a control character or a space, or is empty")
        }
        for index in 0..<request.fields.count {
            let isBroken = request.fields.value(at: index).contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }
            if isBroken || request.fields.name(at: index).contains(where: isBreaking) {
                let name = String(decoding: request.fields.name(at: index).prefix(64), as: UTF8.self)
                throw refused("the field \(name) holds a line end or a NUL")
            }
        }
        if request.method == "HEAD", request.hasContent {
            throw UpstreamError(
                status: 501, label: "upstream-head-body",
                message: "A HEAD request with a body cannot be sent on: servers disagree on whether they read it. "
                    + "Send it without a body.")
        }
    }

    private static func isBreaking(_ octet: UInt8) -> Bool { octet <= 0x20 || octet == 0x7F }

    private static func refused(_ reason: String) -> UpstreamError {
        UpstreamError(
            status: 500, label: "upstream-request", message: "A request was not sent to the upstream: \(reason).")
    }
}

extension UpstreamRequest {
    /// Whether octets follow the head.
    var hasContent: Bool {
        switch body {
        case .none, .untilClose, .length(0): false
        case .length, .chunked: true
        }
    }
}
