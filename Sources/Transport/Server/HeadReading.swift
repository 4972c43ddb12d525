import HTTPCore

/// How far the reading of a connection's next head is, and how long it may take.
struct HeadReading {
    var parser: RequestHeadParser
    /// When the head has to be whole, in nanoseconds of the loop's clock; nil while nothing of it has come.
    private var deadline: UInt64?

    init(_ limits: HeadLimits) {
        parser = RequestHeadParser(limits: limits)
    }

    /// Begins with the next head. `deadline`: set for the first one of a connection.
    mutating func begin(after deadline: UInt64?) {
        self.deadline = deadline
    }

    /// How long to wait for octets, in nanoseconds. The time of a head runs from its first octet.
    mutating func patience(isIdle: Bool, now: UInt64, _ times: ServerConnection.Times) -> UInt64 {
        if deadline == nil, isIdle { return times.keepAlive }
        let deadline = self.deadline ?? now &+ times.head
        self.deadline = deadline
        return deadline > now ? deadline - now : 0
    }
}

extension ParseError {
    /// The client ended after so many octets of a head.
    static func cutHead(_ octets: Int) -> ParseError {
        ParseError(
            status: 400, label: "cut-head", message: "the connection ended within the request's head", offset: octets)
    }
}
