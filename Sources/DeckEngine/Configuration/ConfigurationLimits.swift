import HTTPCore
import Transport

extension ConfigurationReader {
    static let limitKeys = [
        "head", "fields", "target", "connections", "headTime", "requestTime", "bodyTime", "idleTime", "writeTime",
    ]

    /// What clients may ask of the listener. What is not said keeps its default.
    mutating func readLimits(_ node: Node) -> ServerLimits {
        var limits = ServerLimits()
        let members = object(node, known: Self.limitKeys)
        let largest = 1 << 24
        if let head = count(members["head"], in: 1_024...largest) { limits.heads.head = head }
        if let fields = count(members["fields"], in: 1...100_000) { limits.heads.fields = fields }
        if let target = count(members["target"], in: 64...largest) { limits.heads.target = target }
        if let connections = count(members["connections"], in: 1...1_000_000) { limits.maxConnections = connections }
        if let time = time(members["headTime"]) { limits.headTimeout = time }
        if let time = time(members["requestTime"]) { limits.requestTimeout = time }
        if let time = time(members["bodyTime"]) { limits.bodyIdleTimeout = time }
        if let time = time(members["idleTime"]) { limits.keepAlive = time }
        if let time = time(members["writeTime"]) { limits.writeIdleTimeout = time }
        return limits
    }

    private mutating func count(_ node: Node?, in range: ClosedRange<Int>) -> Int? {
        guard let node else { return nil }
        return integer(node, in: range)
    }

    /// A time above zero: none of them can be switched off by mistake.
    private mutating func time(_ node: Node?) -> Duration? {
        guard let node, let time = duration(node) else { return nil }
        if time > .zero { return time }
        report(node.path, "a time above 0 is expected here", advice: "write one as \"30s\"")
        return nil
    }
}
