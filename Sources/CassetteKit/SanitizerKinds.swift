/// Rules sorted by kind, each with its index, on the way to the tables.
struct SanitizerKinds {
    private(set) var names = SanitizerNameTables()
    private(set) var credentials = SanitizerNames()
    private(set) var cookies: Int?
    private(set) var userinfo: Int?
    private(set) var digests: Int?
    private(set) var shapes: [SecretShape: Int] = [:]
    private(set) var patterns = SanitizerTables.PatternRules()
    private(set) var expressions: [(pattern: OctetPattern, rule: Int)] = []
    private(set) var keptHeaders: (names: Set<String>, rule: Int)?
    private(set) var keptJSON: (pointers: [[[UInt8]]], rule: Int)?
    private(set) var literals: [String] = []
    private(set) var literalsRule: Int
    private(set) var pointers: [(pointer: [[UInt8]], rule: Int)] = []
    private(set) var templates: [(template: SecretPlace, rule: Int)] = []

    /// A user's own rules come first: of two that name one thing theirs holds.
    init(_ given: SanitizerRules) {
        literalsRule = given.rules.count
        let rules = given.rules.enumerated()
        for (index, rule) in rules.filter({ !$0.element.isBuiltIn }) + rules.filter({ $0.element.isBuiltIn }) {
            add(rule, index, exceptions: given.exceptions[rule.id] ?? [])
        }
    }

    private mutating func add(_ rule: SanitizerRule, _ index: Int, exceptions: [String]) {
        switch rule.kind {
        case .credentials(let fields):
            let open = Set(exceptions.map { $0.lowercased() })
            for field in fields where !open.contains(field.lowercased()) {
                credentials.add(field, rule: index, isSuffix: false)
            }
        case .cookies:
            cookies = index
            if !exceptions.isEmpty { names.add(SecretNames(parts: .cookies), rule: index, exceptions: exceptions) }
        case .userinfo: userinfo = index
        case .digests: digests = index
        case .shape(let shape): shapes[shape] = index
        case .expression(let pattern): expressions.append((pattern, index))
        case .headersBut(let names): keptHeaders = (Self.framing.union(names.map { $0.lowercased() }), index)
        case .jsonBut(let pointers): keptJSON = (pointers.map(JSONPointer.components), index)
        case .pattern(let pattern): patterns[pattern] = index
        case .literals(let values):
            literals += values
            literalsRule = index
        case .pointers(let texts): pointers += texts.map { (JSONPointer.components($0), index) }
        case .pathSegments(let paths):
            templates += paths.map { path in
                let location = SecretLocation(side: .request, part: .path)
                return (SecretPlace(method: "*", path: path, location: location), index)
            }
        case .names(let secret): names.add(secret, rule: index, exceptions: exceptions)
        }
    }

    /// Fields without which a message can't be read.
    private static let framing: Set<String> = [
        "content-type", "content-encoding", "content-length", "transfer-encoding", "accept-encoding", "location",
    ]
}
