/// Where to listen: a host and a port.
package struct ListenAddress: Sendable, Equatable {
    /// `localhost`, which means 127.0.0.1 and ::1, or a numeric address; IPv6 without brackets or with them.
    package var host: String
    /// 0 picks a free one.
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool {
        host == "localhost" || numericHost == "::1" || numericHost.hasPrefix("127.")
    }

    /// The addresses to bind, in order.
    var hosts: [String] { host == "localhost" ? ["127.0.0.1", "::1"] : [numericHost] }

    private var numericHost: String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    /// Reads `HOST:PORT`. Throws `ListenError` that says what is wrong.
    package static func parse(_ text: String) throws(ListenError) -> ListenAddress {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex else {
            throw ListenError(message: "'\(text)' is not HOST:PORT", advice: "write it like localhost:4750")
        }
        let digits = text[text.index(after: colon)...].utf8
        guard (1...5).contains(digits.count),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = Int(Substring(digits)), port <= 65_535
        else {
            throw ListenError(
                message: "the port of '\(text)' is not a number from 0 to 65535", advice: "write it like localhost:4750"
            )
        }
        let host = String(text[..<colon])
        guard !host.contains(":") || (host.hasPrefix("[") && host.hasSuffix("]")) else {
            throw ListenError(
                message: "the IPv6 address of '\(text)' has no brackets", advice: "write it like [::1]:4750")
        }
        return ListenAddress(host: host, port: port)
    }
}

/// Why a listener could not be opened.
package struct ListenError: Error, Sendable, Equatable {
    package var message: String
    /// What to do about it.
    package var advice: String

    package init(message: String, advice: String) {
        self.message = message
        self.advice = advice
    }
}
