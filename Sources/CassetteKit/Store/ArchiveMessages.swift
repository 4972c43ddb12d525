import HTTPCore

/// The exchanges in an HTTP archive (HAR 1.2) as messages, for looking at them with the rules. Nothing is imported.
struct ArchiveMessages {
    struct Entry {
        /// A JSON pointer to the entry.
        var pointer: String
        var request: RawRequest
        var response: RawResponse
    }

    let entries: [Entry]

    /// nil if the octets are no archive.
    init?(_ octets: Bytes) {
        guard let archive = try? JSONText.parse(octets), let entries = archive["log"]?["entries"]?.elements else {
            return nil
        }
        self.entries = entries.enumerated().compactMap { index, entry in
            guard let request = entry["request"].flatMap(Self.request) else { return nil }
            let response = entry["response"].map(Self.response) ?? Self.response(.object([]))
            return Entry(pointer: "/log/entries/\(index)", request: request, response: response)
        }
    }

    private static func request(_ value: JSONValue) -> RawRequest? {
        guard let url = value["url"]?.text, let method = value["method"]?.text else { return nil }
        // The scheme and the host go; a URL without them is a path.
        var target = Bytes(url.utf8)
        if let start = target.firstRange(of: Bytes("://".utf8)) {
            let rest = target[start.upperBound...]
            target = Bytes(rest.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") })
        }
        if target.first != UInt8(ascii: "/") { target.insert(UInt8(ascii: "/"), at: 0) }
        return RawRequest(
            method: method, scheme: "https", authority: Authority(host: "archive.invalid"), target: target,
            fields: fields(value["headers"]), body: value["postData"].map(content))
    }

    private static func response(_ value: JSONValue) -> RawResponse {
        let body = value["content"].map(content) ?? []
        // What is kept of a body is decoded already.
        var fields = fields(value["headers"])
        fields.remove("Content-Encoding")
        return RawResponse(
            status: 200, reason: Bytes((value["statusText"]?.text ?? "").utf8), fields: fields,
            framing: .length(body.count),
            body: body)
    }

    private static func fields(_ value: JSONValue?) -> Fields {
        var fields = Fields()
        for field in value?.elements ?? [] {
            guard let name = field["name"]?.text, let value = field["value"]?.text, !name.isEmpty else { continue }
            fields.append(name: name.utf8, value: Bytes(value.utf8))
        }
        return fields
    }

    private static func content(_ value: JSONValue) -> Bytes {
        let text = Bytes((value["text"]?.text ?? "").utf8)
        guard value["encoding"]?.text == "base64" else { return text }
        return text.withUnsafeBufferPointer { Base64.decode($0, 0..<$0.count) } ?? text
    }
}
