import HTTPCore

/// A request as the format writes it.
enum RequestFormat {
    static func write(_ request: RecordedRequest) -> JSONValue {
        var members = [
            JSONMember("method", .text(request.method)),
            JSONMember("url", Shape.value(request.url)),
            JSONMember("headers", FieldsFormat.write(request.fields)),
        ]
        if let body = request.body { members.append(JSONMember("body", BodyFormat.write(body))) }
        if !request.trailers.isEmpty { members.append(JSONMember("trailers", FieldsFormat.write(request.trailers))) }
        return .object(members + request.unknown)
    }

    static func read(_ value: JSONValue, folder: String) throws(ShapeProblem) -> RecordedRequest {
        var object = try ObjectReader(value, "the request")
        let method = try object.require("method", method)
        let url = try object.require("url") { value throws(ShapeProblem) in try Self.url(value, method: method) }
        let fields = try object.take("headers", FieldsFormat.read) ?? Fields()
        let body = try object.take("body") { value throws(ShapeProblem) in
            try BodyFormat.read(value, folder: folder)
        }
        let trailers = try object.take("trailers", FieldsFormat.read) ?? Fields()
        return RecordedRequest(
            method: method, scheme: url.scheme, authority: url.authority, target: url.target, fields: fields,
            body: body, trailers: trailers, unknown: object.unknown)
    }

    /// A method is a token (RFC 9110 §5.6.2).
    private static func method(_ value: JSONValue) throws(ShapeProblem) -> String {
        let method = try Shape.text(value)
        let isToken = method.utf8.allSatisfy { octet in
            switch octet {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: "!#$%&'*+-.^_`|~".utf8.contains(octet)
            }
        }
        guard isToken, !method.isEmpty else { throw ShapeProblem(message: "the method is no token like GET") }
        return method
    }

    /// Takes an absolute URL apart: scheme, authority, and the octets behind it as the target.
    private static func url(
        _ value: JSONValue, method: String
    ) throws(ShapeProblem) -> (scheme: String, authority: Authority, target: Bytes) {
        let octets = try Shape.octets(value)
        let schemes: [(String, Bytes)] = [("https", Bytes("https://".utf8)), ("http", Bytes("http://".utf8))]
        guard let (scheme, prefix) = schemes.first(where: { octets.starts(with: $0.1) }) else {
            throw ShapeProblem(message: "the URL must begin with http:// or https://")
        }
        guard octets.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "#") }) else {
            throw ShapeProblem(
                message: "the URL holds a space, a control character or a fragment",
                advice: "Write them percent-encoded")
        }
        let rest = octets[prefix.count...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        do throws(ParseError) {
            let authority = try Authority.parse(rest[..<end])
            return (scheme, authority, target(rest[end...], method: method))
        } catch {
            throw ShapeProblem(message: "in the URL \(error.message)")
        }
    }

    /// A URL without path stands for `/`, and for `*` with OPTIONS (RFC 9110 §7.1).
    private static func target(_ octets: ArraySlice<UInt8>, method: String) -> Bytes {
        if octets.isEmpty { return method == "OPTIONS" ? [UInt8(ascii: "*")] : [UInt8(ascii: "/")] }
        return octets.first == UInt8(ascii: "/") ? Bytes(octets) : [UInt8(ascii: "/")] + octets
    }
}
