import HTTPCore

extension ServerExchange {
    /// Answers CONNECT: from now on the connection belongs to the tunnel. No field goes with it, framing least of all
    /// (RFC 9110 §9.3.6).
    package func openTunnel() async throws(ConnectionError) {
        try checkOpen()
        progress = .begun
        try await connection.transmit(Bytes("HTTP/1.1 200 Connection Established\r\n\r\n".utf8))
    }

    /// Waits for the client's first octet, which is left to be read, at most as long as for a request's head.
    package func awaitSpeech() async -> TunnelSpeech {
        let deadline = loop.tick &+ connection.times.head
        while connection.unread.isEmpty {
            switch connection.socket.receive() {
            case .octets(let count): connection.keep(0..<count)
            case .end, .failed: return .nothing
            case .wouldBlock:
                if await connection.waitIdle(.read, until: deadline) != .ready { return .nothing }
            }
        }
        switch connection.ahead[connection.unread.lowerBound] {
        case 0x16: return .tls
        case let octet where octet >= UInt8(ascii: "A") && octet <= UInt8(ascii: "Z"): return .http
        case let octet: return .unknown(octet)
        }
    }

    /// Serves what follows as plain requests through the tunnel, once the handler has returned.
    package func serveTunnel(_ tunnel: Tunnel) {
        connection.enter(tunnel)
        progress = .tunneled
    }

    /// Takes the client's TLS handshake, at most as long as for a request's head, then serves what follows as requests through
    /// the tunnel.
    ///
    /// - Parameter choose: gives the certificate to show; nil ends the handshake with the alert `handshake_failure`. The loop
    ///   goes on meanwhile.
    /// - Throws: `HandshakeFailure`; the connection is to be closed then, which gives the client time to read why.
    package func secureTunnel(
        _ tunnel: Tunnel, choose: (ClientHello) async throws -> TLSIdentity?
    ) async throws(HandshakeFailure) {
        guard let context = TLSServerContext.shared else {
            throw HandshakeFailure(reason: "OpenSSL does not start", isOurs: true)
        }
        let session: TLSSession
        do throws(TLSError) {
            session = try TLSSession(context, over: connection.socket, early: connection.takeAhead())
        } catch {
            throw HandshakeFailure(reason: error.message, isOurs: true)
        }
        connection.socket.begin(session)
        try await shakeHands(session, choose)
        serveTunnel(tunnel)
    }

    private func shakeHands(
        _ session: TLSSession, _ choose: (ClientHello) async throws -> TLSIdentity?
    ) async throws(HandshakeFailure) {
        let deadline = loop.tick &+ connection.times.head
        var hello: ClientHello?
        var isRefused = false
        while true {
            let wake: Socket.Wake
            switch session.handshake() {
            case .done: return
            case .failed(let reason):
                throw HandshakeFailure(
                    reason: isRefused ? "the alert handshake_failure was sent" : reason, hello: hello)
            case .needsIdentity(let found):
                hello = found
                do {
                    if let identity = try await choose(found) {
                        try session.show(identity)
                    } else {
                        session.refuse()
                        isRefused = true
                    }
                } catch {
                    throw HandshakeFailure(reason: "\(error)", hello: hello, isOurs: true)
                }
                continue
            case .needsOctets: wake = await connection.waitIdle(.read, until: deadline)
            case .needsRoom: wake = await connection.waitIdle(.write, until: deadline)
            }
            switch wake {
            case .ready: continue
            case .timedOut: throw HandshakeFailure(reason: "the handshake did not end in time", hello: hello)
            case .cancelled: throw HandshakeFailure(reason: "the client left within the handshake", hello: hello)
            }
        }
    }
}
