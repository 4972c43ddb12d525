import HTTPCore

@testable import CassetteKit

/// A row of the table of matching.
struct MatchCase: Sendable, CustomStringConvertible {
    var name: String
    var left: RawRequest
    var right: RawRequest
    var same: Bool
    var rules = MatchRules()

    var description: String { name }

    static let all =
        methods + paths + queries + json + forms + multiparts + graphQL + octetBodies + coded + fields + rulesForBodies

    private static func targets(
        _ name: String, _ left: String, _ right: String, _ same: Bool, _ rules: MatchRules = MatchRules()
    ) -> MatchCase {
        MatchCase(name: name, left: request("GET", left), right: request("GET", right), same: same, rules: rules)
    }

    private static func bodies(
        _ name: String, _ left: String, _ right: String, _ same: Bool, _ rules: MatchRules = MatchRules()
    ) -> MatchCase {
        MatchCase(name: name, left: jsonRequest(left), right: jsonRequest(right), same: same, rules: rules)
    }

    private static func typed(
        _ name: String, _ type: String, _ left: String, _ right: String, _ same: Bool,
        _ rules: MatchRules = MatchRules()
    ) -> MatchCase {
        MatchCase(
            name: name, left: request("POST", "/", [("Content-Type", type)], body: left),
            right: request("POST", "/", [("Content-Type", type)], body: right), same: same, rules: rules)
    }

    private static func form(
        _ name: String, _ left: String, _ right: String, _ same: Bool, _ rules: MatchRules = MatchRules()
    ) -> MatchCase {
        typed("form: " + name, "application/x-www-form-urlencoded", left, right, same, rules)
    }

    static let methods: [MatchCase] = [
        MatchCase(name: "method: GET is not HEAD", left: request("GET"), right: request("HEAD"), same: false),
        MatchCase(name: "method: PUT is not PATCH", left: request("PUT"), right: request("PATCH"), same: false),
        MatchCase(name: "method: case counts", left: request("GET"), right: request("get"), same: false),
        MatchCase(
            name: "method: own methods count", left: request("PURGE", "/a"), right: request("PURGE", "/a"), same: true),
        MatchCase(
            name: "method: OPTIONS * is not OPTIONS /", left: request("OPTIONS", "*"), right: request("OPTIONS", "/"),
            same: false),
    ]

    static let paths: [MatchCase] = [
        targets("path: equal", "/a/b", "/a/b", true),
        targets("path: case counts", "/a/B", "/a/b", false),
        targets("path: a slash at the end counts", "/a/b/", "/a/b", false),
        targets("path: a double slash stays", "/a//b", "/a/b", false),
        targets("path: a dot segment stays", "/a/./b", "/a/b", false),
        targets("path: two dots stay", "/a/../b", "/b", false),
        targets("path: an escaped slash is no slash", "/a%2Fb", "/a/b", false),
        targets("path: the case of escapes does not count", "/a%2fb", "/a%2Fb", true),
        targets("path: an escaped unreserved letter is the letter", "/%61b", "/ab", true),
        targets("path: an escaped tilde is the tilde", "/%7Eu", "/~u", true),
        targets("path: an escaped reserved sign is not the sign", "/a%3Bb", "/a;b", false),
        targets("path: an escaped percent is not undone", "/a%2541", "/a%41", false),
        targets("path: plus is plus", "/a+b", "/a%20b", false),
        targets("path: parameters of a segment count", "/a;v=1", "/a;v=2", false),
        targets("path: a segment more", "/a/b/c", "/a/b", false),
        targets("path: UTF-8 escaped in either case", "/caf%C3%A9", "/caf%c3%a9", true),
        targets("path: composed and decomposed differ", "/caf%C3%A9", "/cafe%CC%81", false),
        targets("path: a malformed escape stays", "/a%2", "/a%25", false),
        targets("path: an item is no path", "/a?b", "/a/b", false),
    ]

    static let queries: [MatchCase] = [
        targets("query: order between names", "/?a=1&b=2", "/?b=2&a=1", true),
        targets("query: order within a name", "/?a=1&a=2", "/?a=2&a=1", false),
        targets("query: order within a name, others between", "/?a=1&b=3&a=2", "/?b=3&a=1&a=2", true),
        targets("query: repeats count", "/?a=1&a=1", "/?a=1", false),
        targets("query: three repeats are not two", "/?a=1&a=1&a=1", "/?a=1&a=1", false),
        targets("query: no value is not an empty value", "/?a", "/?a=", false),
        targets("query: no value twice", "/?a&b", "/?b&a", true),
        targets("query: a question mark alone", "/?", "/", true),
        targets("query: an empty item counts", "/?a=1&", "/?a=1", false),
        targets("query: an item without name counts", "/?=1", "/?1", false),
        targets("query: plus is not %20", "/?q=a+b", "/?q=a%20b", false),
        targets("query: plus is not %2B", "/?q=a+b", "/?q=a%2Bb", false),
        targets("query: the case of escapes", "/?q=%e2%82%ac", "/?q=%E2%82%AC", true),
        targets("query: escaped unreserved", "/?q=%41", "/?q=A", true),
        targets("query: an escaped name", "/?%61=1", "/?a=1", true),
        targets("query: an escaped ampersand is part of the value", "/?q=a%26b=1", "/?q=a&b=1", false),
        targets("query: an escaped equals sign is part of the name", "/?a%3Db", "/?a=b", false),
        targets("query: a second equals sign is part of the value", "/?a=b=c", "/?a=b%3Dc", false),
        targets("query: case of a value", "/?q=A", "/?q=a", false),
        targets("query: case of a name", "/?Q=a", "/?q=a", false),
        targets("query: brackets as sent", "/?ids[]=1&ids[]=2", "/?ids[]=2&ids[]=1", false),
        targets("query: indexed brackets", "/?ids[0]=1&ids[1]=2", "/?ids[1]=2&ids[0]=1", true),
        targets("query: a semicolon parts nothing", "/?a=1;b=2", "/?a=1&b=2", false),
        targets("query: a second question mark is part of it", "/?a=?", "/?a=", false),
        targets("query: an ignored item", "/?t=1&a=1", "/?a=1&t=2", true, MatchRules(ignoreQuery: ["t"])),
        targets("query: an ignored item may be missing", "/?t=1", "/", true, MatchRules(ignoreQuery: ["t"])),
        targets("query: an ignored item, repeated", "/?t=1&t=2&a", "/?a", true, MatchRules(ignoreQuery: ["t"])),
        targets("query: an ignored name, escaped", "/?%74=1", "/", true, MatchRules(ignoreQuery: ["t"])),
        targets(
            "query: others than the ignored count", "/?t=1&a=1", "/?t=1&a=2", false, MatchRules(ignoreQuery: ["t"])),
        targets("query: a secret item", "/?api_key=one", "/?api_key=two", true),
        targets("query: a secret item must be there", "/?api_key=one", "/", false),
    ]

    static let json: [MatchCase] = [
        bodies("json: key order", #"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, true),
        bodies("json: key order, deep", #"{"x":{"a":[{"p":1,"q":2}]}}"#, #"{"x":{"a":[{"q":2,"p":1}]}}"#, true),
        bodies("json: white space", "{\"a\":[1,2]}", "{\n\t\"a\" : [ 1, 2 ]\r\n}", true),
        bodies("json: order in an array", "[1,2]", "[2,1]", false),
        bodies("json: 1.0 is 1", "[1.0]", "[1]", true),
        bodies("json: 1e2 is 100", "[1e2]", "[100]", true),
        bodies("json: minus zero is zero", "[-0.0]", "[0]", true),
        bodies("json: more digits than a double", "[12345678901234567890]", "[12345678901234567891]", false),
        bodies("json: decimal, not binary", "[0.1]", "[0.1000000000000000055511151231257827]", false),
        bodies("json: a number is no string", #"{"a":1}"#, #"{"a":"1"}"#, false),
        bodies("json: null is not missing", #"{"a":null}"#, "{}", false),
        bodies("json: false is not null", "[false]", "[null]", false),
        bodies("json: escapes in a string", #"["\u00e9\n\/"]"#, "[\"é\\n/\"]", true),
        bodies("json: composed and decomposed", #"["\u00e9"]"#, #"["e\u0301"]"#, false),
        bodies("json: escapes in a key", #"{"\u0061":1}"#, #"{"a":1}"#, true),
        bodies("json: repeated keys keep their order", #"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#, false),
        bodies("json: an empty object is no empty array", "{}", "[]", false),
        bodies("json: malformed counts by octets", "{a}", "{a} ", false),
        bodies("json: long objects", longObject(false), longObject(true), true),
        bodies("json: a secret by name", #"{"password":"a","n":1}"#, #"{"password":"b","n":1}"#, true),
        bodies(
            "json: an ignored pointer", #"{"id":1,"a":2}"#, #"{"id":9,"a":2}"#, true, MatchRules(ignoreBody: ["/id"])),
        bodies(
            "json: an ignored pointer may be missing", #"{"id":1,"a":2}"#, #"{"a":2}"#, true,
            MatchRules(ignoreBody: ["/id"])),
        bodies(
            "json: an ignored pointer is no name", #"{"x":{"id":1}}"#, #"{"x":{"id":2}}"#, false,
            MatchRules(ignoreBody: ["/id"])),
        bodies(
            "json: any element", #"[{"id":1,"v":1},{"id":2,"v":2}]"#, #"[{"id":3,"v":1},{"id":4,"v":2}]"#, true,
            MatchRules(ignoreBody: ["/*/id"])),
        bodies(
            "json: any member", #"{"a":{"ts":1},"b":{"ts":2}}"#, #"{"a":{"ts":3},"b":{"ts":4}}"#, true,
            MatchRules(ignoreBody: ["/*/ts"])),
        bodies("json: a name with a slash", #"{"a/b":1}"#, #"{"a/b":2}"#, true, MatchRules(ignoreBody: ["/a~1b"])),
        bodies("json: a name with a tilde", #"{"a~b":1}"#, #"{"a~b":2}"#, true, MatchRules(ignoreBody: ["/a~0b"])),
        bodies("json: an element by index", "[1,2]", "[1,3]", true, MatchRules(ignoreBody: ["/1"])),
        bodies("json: another element than the ignored", "[1,2]", "[3,2]", false, MatchRules(ignoreBody: ["/1"])),
    ]

    static let forms: [MatchCase] = [
        form("order between names", "a=1&b=2", "b=2&a=1", true),
        form("order within a name", "a=1&a=2", "a=2&a=1", false),
        form("plus is a space", "q=a+b", "q=a%20b", true),
        form("an escaped plus is a plus", "q=a%2Bb", "q=a+b", false),
        form("no value is not an empty value", "a", "a=", false),
        form("escapes", "%61=%42", "a=B", true),
        form("a field more", "a=1", "a=1&b=", false),
        form("a secret field", "password=x&u=1", "u=1&password=y", true),
        form("an ignored field", "t=1&a=1", "a=1", true, MatchRules(ignoreBody: ["/t"])),
    ]

    static let multiparts: [MatchCase] = [
        multipart(
            "the boundary does not count", ("B1", file: "x", name: "f", type: "image/png"),
            ("B2", file: "x", name: "f", type: "image/png"), true),
        multipart(
            "a file counts by its content", ("B1", file: "x", name: "f", type: "image/png"),
            ("B1", file: "y", name: "f", type: "image/png"), false),
        multipart(
            "the name of a part counts", ("B1", file: "x", name: "f", type: "image/png"),
            ("B1", file: "x", name: "g", type: "image/png"), false),
        multipart(
            "the type of a part counts", ("B1", file: "x", name: "f", type: "image/png"),
            ("B1", file: "x", name: "f", type: "image/gif"), false),
        multipart(
            "an ignored part", ("B1", file: "x", name: "f", type: "image/png"),
            ("B2", file: "y", name: "f", type: "image/png"), true, MatchRules(ignoreBody: ["/f"])),
    ]

    static let graphQL: [MatchCase] = [
        bodies(
            "graphql: white space and commas", #"{"query":"query Q { a, b }"}"#, #"{"query":"query Q{\n a\n b\n}"}"#,
            true),
        bodies("graphql: comments", ##"{"query":"{a # x\n}"}"##, #"{"query":"{a}"}"#, true),
        bodies("graphql: a space in a string", #"{"query":"{a(x:\"1 2\")}"}"#, #"{"query":"{a(x:\"12\")}"}"#, false),
        bodies(
            "graphql: variables by value", #"{"query":"{a}","variables":{"x":1,"y":2}}"#,
            #"{"query":"{ a }","variables":{"y":2.0,"x":1}}"#, true),
        bodies(
            "graphql: other variables", #"{"query":"{a}","variables":{"x":1}}"#,
            #"{"query":"{a}","variables":{"x":2}}"#, false),
        bodies(
            "graphql: the operation's name", #"{"operationName":"A","query":"query A{a} query B{b}"}"#,
            #"{"operationName":"B","query":"query A{a} query B{b}"}"#, false),
        bodies(
            "graphql: a batch keeps its order", #"[{"query":"{a}"},{"query":"{b}"}]"#,
            #"[{"query":"{b}"},{"query":"{a}"}]"#, false),
        bodies(
            "graphql: a batch, folded", #"[{"query":"{ a }"},{"query":"{b}"}]"#,
            #"[{"query":"{a}"},{"query":"{ b }"}]"#, true),
        bodies("graphql: hash first, then hash and text", persisted("h1", nil), persisted("h1", "{a}"), true),
        bodies("graphql: another hash", persisted("h1", "{a}"), persisted("h2", "{a}"), false),
        bodies("graphql: text alone is not its hash", persisted("h1", nil), #"{"query":"{a}"}"#, false),
        bodies(
            "graphql: hash rule, text against its hash", persisted(hashOfA, nil), #"{"query":"{a}"}"#, true,
            MatchRules(graphQL: .hash)),
        bodies(
            "graphql: hash rule, other text", persisted(hashOfA, nil), #"{"query":"{b}"}"#, false,
            MatchRules(graphQL: .hash)),
        bodies(
            "graphql: hash rule, variables count", #"{"query":"{a}","variables":{"x":1}}"#,
            #"{"query":"{a}","variables":{"x":2}}"#, false, MatchRules(graphQL: .hash)),
        bodies(
            "graphql: hash rule, in a batch", "[\(persisted(hashOfA, nil))]", #"[{"query":"{a}"}]"#, true,
            MatchRules(graphQL: .hash)),
        bodies(
            "graphql: operation rule, other text", #"{"operationName":"A","query":"query A{a}"}"#,
            #"{"operationName":"A","query":"query A{a b}"}"#, true, MatchRules(graphQL: .operation)),
        bodies(
            "graphql: operation rule, other name", #"{"operationName":"A","query":"query A{a}"}"#,
            #"{"operationName":"B","query":"query B{a}"}"#, false, MatchRules(graphQL: .operation)),
        bodies(
            "graphql: operation rule, hash or text",
            #"{"operationName":"A","extensions":{"persistedQuery":{"sha256Hash":"h"}}}"#,
            #"{"operationName":"A","query":"query A{a}"}"#, true, MatchRules(graphQL: .operation)),
        targets("graphql: by GET, folded", "/g?query=query%20Q%20%7B%20a%20%7D", "/g?query=query+Q%7Ba%7D", true),
        targets(
            "graphql: by GET, other variables", "/g?query=%7Ba%7D&variables=%7B%22x%22:1%7D",
            "/g?query=%7Ba%7D&variables=%7B%22x%22:2%7D", false),
        targets(
            "graphql: by GET, variables by value", "/g?query=%7Ba%7D&variables=%7B%22x%22:1,%22y%22:2%7D",
            "/g?variables=%7B%22y%22:2,%22x%22:1.0%7D&query=%7Ba%7D", true),
        targets(
            "graphql: by GET, hash and text", "/g?extensions=%7B%22persistedQuery%22:%7B%22sha256Hash%22:%22h%22%7D%7D",
            "/g?query=%7Ba%7D&extensions=%7B%22persistedQuery%22:%7B%22sha256Hash%22:%22h%22%7D%7D", true),
        targets(
            "graphql: by GET, hash rule",
            "/g?extensions=%7B%22persistedQuery%22:%7B%22sha256Hash%22:%22\(hashOfA)%22%7D%7D", "/g?query=%7Ba%7D",
            true, MatchRules(graphQL: .hash)),
        typed("graphql: as application/graphql", "application/graphql", "query { a }", "query{a}", true),
        bodies(
            "graphql: words under query are no document", #"{"query":"red  shoes"}"#, #"{"query":"red shoes"}"#, false),
    ]

    static let octetBodies: [MatchCase] = [
        typed("octets: XML is not folded", "application/xml", "<a><b/></a>", "<a> <b/></a>", false),
        typed("octets: XML, equal", "application/xml", "<a b='1'/>", "<a b='1'/>", true),
        typed("octets: XML, other quotes", "text/xml", "<a b='1'/>", "<a b=\"1\"/>", false),
        typed("octets: text", "text/plain", "a b", "a  b", false),
        typed("octets: JSON sent as text", "text/plain", "{}", "{ }", false),
        MatchCase(
            name: "octets: no type", left: request("POST", "/", body: "{}"), right: request("POST", "/", body: "{ }"),
            same: false),
        MatchCase(
            name: "octets: an empty body is none", left: request("POST", "/", body: ""), right: request("POST", "/"),
            same: true),
        MatchCase(
            name: "octets: GET with a body", left: request("GET", "/", body: "x"), right: request("GET", "/"),
            same: false),
    ]

    static let coded: [MatchCase] = ["gzip", "deflate", "br", "zstd"].map { coding in
        var left = jsonRequest(#"{"a":1}"#)
        left.body = testCodecs.encode(coding, octets(#"{ "a": 1.0 }"#))
        left.fields.append("Content-Encoding", coding)
        return MatchCase(name: "coding: \(coding)", left: left, right: jsonRequest(#"{"a":1}"#), same: true)
    }

    static let fields: [MatchCase] = [
        headers("none takes part by itself", [("Accept", "a/b"), ("X-A", "1")], [("X-A", "2")], true, []),
        headers("a named one counts", [("X-A", "1")], [("X-A", "2")], false, ["X-A"]),
        headers("the case of its name does not", [("x-a", "1")], [("X-A", "1")], true, ["X-a"]),
        headers("the case of its value does", [("X-A", "a")], [("X-A", "A")], false, ["X-A"]),
        headers("missing is not empty", [("X-A", "")], [], false, ["X-A"]),
        headers(
            "repeats keep their order", [("X-A", "1"), ("X-A", "2")], [("X-A", "2"), ("X-A", "1")], false, ["X-A"]),
        headers(
            "others between do not count", [("X-A", "1"), ("X-B", "0"), ("X-A", "2")], [("X-A", "1"), ("X-A", "2")],
            true, ["X-A"]),
        headers(
            "a charset does not count", [("Content-Type", "text/plain; charset=utf-8")],
            [("Content-Type", "text/plain")], true, ["Content-Type"]),
        headers(
            "a type's case does not count", [("Accept", "Application/JSON")], [("Accept", "application/json")], true,
            ["Accept"]),
        headers(
            "q does not count", [("Accept", "application/json;q=0.9, text/plain")],
            [("Accept", "application/json,text/plain;q=0.1")], true, ["Accept"]),
        headers(
            "a version does count", [("Accept", "application/json;version=1")],
            [("Accept", "application/json;version=2")], false, ["Accept"]),
        headers(
            "another type counts", [("Accept", "application/json")], [("Accept", "application/xml")], false, ["Accept"]),
        headers(
            "a secret one counts by its rule", [("Authorization", "Bearer one")], [("Authorization", "Bearer two")],
            true, ["Authorization"]),
        headers("a secret one must be there", [("Authorization", "Bearer one")], [], false, ["Authorization"]),
    ]

    static let rulesForBodies: [MatchCase] = [
        bodies("rule: exact", #"{"a":1}"#, #"{"a": 1}"#, false, MatchRules(body: .exact)),
        bodies("rule: exact, equal", #"{"a":1}"#, #"{"a":1}"#, true, MatchRules(body: .exact)),
        bodies("rule: ignore", #"{"a":1}"#, #"{"b":2}"#, true, MatchRules(body: .ignore)),
        bodies("rule: ignore, missing", #"{"a":1}"#, "", true, MatchRules(body: .ignore)),
        bodies(
            "rule: a body over the limit counts by octets", #"{"a":1}"#, #"{"a": 1}"#, false, MatchRules(maxBody: 4)),
    ]

    private static let hashOfA = String(decoding: MatchGraphQL.hash(octets("{a}")), as: UTF8.self)

    private static func persisted(_ hash: String, _ query: String?) -> String {
        let text = query.map { #""query":"\#($0)","# } ?? ""
        return #"{\#(text)"extensions":{"persistedQuery":{"version":1,"sha256Hash":"\#(hash)"}}}"#
    }

    private static func longObject(_ isReversed: Bool) -> String {
        let members = (0..<60).map { #""key\#($0)":{"value":\#($0),"text":"some words that make it long"}"# }
        return "{" + (isReversed ? members.reversed() : members).joined(separator: ",") + "}"
    }

    private static func headers(
        _ name: String, _ left: [(String, String)], _ right: [(String, String)], _ same: Bool, _ names: [String]
    ) -> MatchCase {
        MatchCase(
            name: "field: " + name, left: request("GET", "/", left), right: request("GET", "/", right), same: same,
            rules: MatchRules(headers: names))
    }

    private typealias Part = (String, file: String, name: String, type: String)

    private static func multipart(
        _ name: String, _ left: Part, _ right: Part, _ same: Bool, _ rules: MatchRules = MatchRules()
    ) -> MatchCase {
        func raw(_ part: Part) -> RawRequest {
            let body =
                "--\(part.0)\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\n42\r\n--\(part.0)\r\n"
                + "Content-Disposition: form-data; name=\"\(part.name)\"; filename=\"p\"\r\nContent-Type: \(part.type)\r\n\r\n"
                + "\(part.file)\r\n--\(part.0)--\r\n"
            return request("POST", "/", [("Content-Type", "multipart/form-data; boundary=\(part.0)")], body: body)
        }
        return MatchCase(name: "multipart: " + name, left: raw(left), right: raw(right), same: same, rules: rules)
    }
}
