import HTTPCore
import Testing

/// RFC 9110 §8.3.1 and §5.6.6.
@Suite struct MediaTypeTests {
    @Test func readsTypeAndParameters() throws {
        let type = try #require(MediaType.parse(" Multipart/Form-Data ; Boundary=\"a;\\\"b\" ;x=1;;bad;y=;z=\"q"))
        #expect(type.type == "multipart")
        #expect(type.subtype == "form-data")
        #expect(type.parameters.map(\.0) == ["boundary", "x"])
        #expect(type.parameter("boundary") == "a;\"b")
        #expect(type.parameter("z") == nil)
    }

    @Test(arguments: ["", "json", "/json", "a/", "a/b/c", "a b/c", "a/b c", ";a=b"])
    func refuses(value: String) {
        #expect(MediaType.parse(value) == nil)
    }

    @Test(arguments: [
        ("application/json", [true, false, false, false, true]),
        ("application/JSON; charset=utf-8", [true, false, false, false, true]),
        ("application/problem+json", [true, false, false, false, true]),
        ("text/json", [true, false, false, false, true]),
        ("application/x-www-form-urlencoded", [false, true, false, false, true]),
        ("multipart/form-data; boundary=x", [false, false, true, false, false]),
        ("image/svg+xml", [false, false, false, true, true]), ("application/xml", [false, false, false, true, true]),
        ("text/plain", [false, false, false, false, true]),
        ("application/javascript", [false, false, false, false, true]),
        ("image/png", [false, false, false, false, false]),
        ("application/octet-stream", [false, false, false, false, false]),
        ("application/jsonx", [false, false, false, false, false]),
    ])
    func knowsKinds(value: String, kinds: [Bool]) throws {
        let type = try #require(MediaType.parse(value))
        #expect([type.isJSON, type.isForm, type.isMultipart, type.isXML, type.isText] == kinds)
    }
}
