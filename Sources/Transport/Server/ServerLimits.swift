package import HTTPCore

/// How much and how long a server waits for a client.
package struct ServerLimits: Sendable {
    package var heads = HeadLimits()
    /// From the first octet of a head to its last, and from a connection's begin to the first request.
    package var headTimeout = Duration.seconds(30)
    /// From a request's head to the last octet of its body, against clients that send an octet now and then.
    package var requestTimeout = Duration.seconds(3_600)
    /// Between two pieces of a request's body.
    package var bodyIdleTimeout = Duration.seconds(30)
    /// Between two requests.
    package var keepAlive = Duration.seconds(75)
    /// How long a client may take no octet of its answer.
    package var writeIdleTimeout = Duration.seconds(60)
    /// Connections at a time; those above get 503.
    package var maxConnections = 10_000
    /// Of a body that nobody read, so much is read, in octets, to keep the connection.
    package var drainedBody = 262_144
    /// How long a connection that we end waits for the client to read and to close (RFC 9112 §9.6).
    package var lingerTime = Duration.seconds(2)

    package init() {}
}

/// What a server tells its owner. Called on a loop.
package struct ServerHooks: Sendable {
    /// A malformed request was answered by the server itself; also gets the client's address.
    package var onRejected: @Sendable (ParseError, _ peer: String) -> Void

    package init(onRejected: @escaping @Sendable (ParseError, _ peer: String) -> Void = { _, _ in }) {
        self.onRejected = onRejected
    }
}

/// Why an exchange with a client cannot go on.
package enum ConnectionError: Error, Sendable {
    /// The connection was reset or ended; the words say where.
    case clientLeft(String)
    /// The client sent or took nothing in time; the words say which.
    case timedOut(String)
    /// The body's framing is broken.
    case malformed(ParseError)
    /// The body is larger than was asked for.
    case tooLarge(limit: Int)
    /// The task was cancelled, or the exchange was ended by ourselves.
    case cancelled
}
