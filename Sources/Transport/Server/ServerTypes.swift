package import HTTPCore

/// Where to listen.
package struct ListenAddress: Sendable, Equatable {
    package var host: String
    package var port: Int
    package init(host: String, port: Int) { self.host = host; self.port = port }
    package var isLoopback: Bool { ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host) || host.hasPrefix("127.") }
}

package struct ListenError: Error, Sendable { package var message: String; package var advice: String }

package struct ServerLimits: Sendable {
    package var heads = HeadLimits()
    package var headTimeout = Duration.seconds(30)
    package var bodyIdleTimeout = Duration.seconds(30)
    package var keepAlive = Duration.seconds(75)
    package var writeIdleTimeout = Duration.seconds(60)
    package var maxConnections = 10_000
    package init() {}
}

package struct ServerHooks: Sendable {
    package var onRejected: @Sendable (ParseError, String) -> Void
    package init(onRejected: @escaping @Sendable (ParseError, String) -> Void = { _, _ in }) { self.onRejected = onRejected }
}

package enum ConnectionError: Error, Sendable {
    case clientLeft(String), timedOut(String), malformed(ParseError), tooLarge(limit: Int), cancelled
}
