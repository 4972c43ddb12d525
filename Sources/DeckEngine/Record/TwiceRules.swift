package import CassetteKit
import DeckRules
package import HTTPCore

/// The rules that make two recordings of one flow the same, written into a configuration for people to review.
package struct TwiceRules: Sendable {
    /// One change of the configuration.
    package struct Edit: Sendable, Equatable {
        /// The keys that lead to it.
        package var path: [String]
        package var value: JSONValue
        /// Whether the value is added to a list; else it is a member that must not be there yet.
        package var isInList: Bool

        /// One line for people: `match.ignoreQuery: "_t"`.
        package var line: String {
            "\(path.joined(separator: ".")): "
                + String(decoding: JSONText.write(value, layout: JSONLayout(.spaced)), as: UTF8.self)
        }
    }

    package private(set) var edits: [Edit] = []
    /// What no rule can say, a sentence each.
    package private(set) var unexplained: [String]

    private let table: RouteTable
    /// New routes by name.
    private var made: [String: String] = [:]

    /// Compares the recordings of two runs.
    ///
    /// - Parameters:
    ///   - options: of the runs.
    ///   - first: the cassette of the first run.
    /// - Throws: `DeckError` or `FormatError`.
    package init(_ options: DeckOptions, _ environment: DeckEnvironment, first: Cassette, second: Cassette) throws {
        let keys = try DeckBuilder.keyRules(options, environment, [first, second])
        let places = try VolatilePlaces(
            first.interactions, second.interactions, volatile: options.configuration.volatile,
            key: { (interaction) throws(FormatError) in try keys.key(of: interaction) },
            isAdapted: { keys.isAdapted($0) })
        table = options.configuration.rules.table
        unexplained = places.unexplained
        for pair in places.pairs { add(pair) }
        for name in places.headers { add(["volatile", "headers"], .text(name)) }
        for pointer in places.json { add(["volatile", "json"], .text(pointer)) }
    }

    /// The configuration's text with the rules.
    package func applied(to text: Bytes) -> Bytes {
        var editor = JSONTextEditor(text)
        for edit in edits {
            if edit.isInList {
                editor.append([edit.value], at: edit.path)
            } else {
                editor.add(edit.value, at: edit.path)
            }
        }
        return editor.octets
    }

    private mutating func add(_ path: [String], _ value: JSONValue, isInList: Bool = true) {
        let edit = Edit(path: path, value: value, isInList: isInList)
        if !edits.contains(edit) { edits.append(edit) }
    }

    private mutating func add(_ pair: VolatilePlaces.Pair) {
        let routes = [route(pair.first), route(pair.second)]
        var place = routes[0] != nil && routes[0] == routes[1] ? routes[0].map { ["routes", $0] } : nil
        if !pair.segments.isEmpty {
            guard let name = shared(pair, place?.last) else {
                unexplained.append(
                    "the path of \(pair.first.method) \(String(decoding: pair.first.target, as: UTF8.self)) is another each time,"
                        + " and routes stand in the way of one for all of them")
                return
            }
            place = ["routes", name]
        }
        for name in pair.query { add((place ?? ["match"]) + ["ignoreQuery"], .text(name)) }
        for pointer in pair.body { add((place ?? ["match"]) + ["ignoreBody"], .text(pointer)) }
    }

    private func route(_ request: RecordedRequest) -> String? {
        let path = Self.path(request)
        let match = table.route(
            method: request.method, path: path,
            query: path.count == request.target.count ? nil : Bytes(request.target.dropFirst(path.count + 1)))
        return match.index.map { table.routes[$0].name }
    }

    private static func path(_ request: RecordedRequest) -> Bytes {
        Bytes(request.target.prefix { $0 != UInt8(ascii: "?") })
    }

    // MARK: Paths

    /// Lets all values of the segments that differ share one recording: in the route that has taken both requests, else in a
    /// new one. Nil where neither can be.
    private mutating func shared(_ pair: VolatilePlaces.Pair, _ known: String?) -> String? {
        if let known, let route = table.index(of: known).map({ table.routes[$0] }) {
            let names = pair.segments.map { number -> String? in
                guard number <= route.pattern.segments.count else { return route.pattern.rest }
                return route.pattern.segments[number - 1].parameterNames.first
            }
            guard !names.contains(nil) else { return nil }
            for name in names.compactMap({ $0 }) { add(["routes", known, "anyPath"], .text(name)) }
            add(["routes", known, "substitute"], .bool(true), isInList: false)
            return known
        }
        guard route(pair.first) == nil, route(pair.second) == nil, let pattern = Self.pattern(pair) else { return nil }
        if let name = made[pattern.text] { return name }
        let name = freeName(pair)
        made[pattern.text] = name
        add(
            ["routes", name],
            .object([
                JSONMember("match", .text(pattern.text)),
                JSONMember("anyPath", .array(pattern.names.map { .text($0) })), JSONMember("substitute", .bool(true)),
            ]), isInList: false)
        return name
    }

    private static func pattern(_ pair: VolatilePlaces.Pair) -> (text: String, names: [String])? {
        var segments = path(pair.first).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .dropFirst()
            .map { String(decoding: $0, as: UTF8.self) }
        guard !segments.joined().contains(where: { "{}*".contains($0) }) else { return nil }
        let names = pair.segments.count == 1 ? ["id"] : pair.segments.indices.map { "id\($0 + 1)" }
        for (number, name) in zip(pair.segments, names) { segments[number - 1] = "{\(name)}" }
        return ("\(pair.first.method) /\(segments.joined(separator: "/"))?*", names)
    }

    /// A name from method and path that no route has: `get-orders-id`.
    private func freeName(_ pair: VolatilePlaces.Pair) -> String {
        let words = (Self.pattern(pair)?.text ?? "route").lowercased().split {
            !$0.isASCII || !($0.isLetter || $0.isNumber)
        }
        let base = words.joined(separator: "-")
        var name = base
        var number = 2
        while table.index(of: name) != nil || made.values.contains(name) {
            name = "\(base)-\(number)"
            number += 1
        }
        return name
    }
}
