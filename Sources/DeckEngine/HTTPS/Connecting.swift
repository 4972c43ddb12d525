import DeckRules
import HTTPCore
import SystemIO
import Transport

/// Serves CONNECT: intercepts the tunnel, passes it unseen, breaks it on purpose, or refuses it.
struct Connecting {
    let core: DeckCore
    let http: ServerExchange
    let authority: Authority
    /// The CONNECT's own fields, without the marks of its session.
    let fields: Fields

    /// CONNECT as rules see it: a path of the host and its port.
    private var place: Address {
        Address(scheme: "https", authority: authority, target: Bytes("/\(authority.text)".utf8), isForward: true)
    }

    func run(_ record: inout Exchange.Record) async throws(ConnectionError) {
        if core.session.withRules({ $0.isOffline }) {
            record.outcome = .fault
            record.variant = FaultKind.offline.rawValue
            core.log(.info, "offline on CONNECT \(authority.text)")
            return http.abort(.reset)
        }
        let isOwn = core.addressing.isDeck(authority)
        if !isOwn, let problem = core.gate.problem(for: place, http.head) { return try await refuse(problem, &record) }
        if core.isTunneled(authority) {
            if isOwn { return try await refuse(Addressing.loop(authority), &record) }
            return try await passUnseen(&record)
        }
        try await decide(&record)
    }

    // MARK: Rules

    private func decide(_ record: inout Exchange.Record) async throws(ConnectionError) {
        let decision = core.session.decide(
            place, http.head.method, now: http.loop.now().since(core.started), key: nil, operations: [])
        record.route = decision.routeName
        record.variant = decision.variantName == "default" ? nil : decision.variantName
        core.noteFault(decision, http.head.method, place)
        if record.variant != nil { try await http.hold(for: decision.delay, timings: nil, in: core.session.holds) }
        switch decision.answer {
        case .recorded: try await intercept(nil, &record)
        case .own(let own):
            record.outcome = .own
            let answer = await core.answer(of: own, decision, place, http.head.method)
            record.status = answer.head.status
            try await http.deliver(answer, decision.bandwidth)
        case .fault(let kind, let own):
            record.outcome = .fault
            core.log(.info, "\(kind.rawValue) on CONNECT \(authority.text)")
            if let fault = kind.inHandshake { return try await intercept(fault, &record) }
            var answer = Answer.filler
            if let own { answer = await core.answer(of: own, decision, place, http.head.method) }
            try await kind.onTheWire?.run(http, BrokenAnswer(answer, sends: decision.sends))
        }
    }

    // MARK: Intercepted

    private func intercept(_ fault: HandshakeFault?, _ record: inout Exchange.Record) async throws(ConnectionError) {
        do {
            if core.interception.issuer == nil {
                _ = try await core.queue.run { [core] in try core.interception.load() }
            }
        } catch {
            let problem = Problem.noAuthority(error)
            return try await refuse(problem, &record)
        }
        try await http.openTunnel()
        record.status = 200
        switch await http.awaitSpeech() {
        case .tls: await shakeHands(fault, &record)
        case .http:
            // The requests inside are journaled, and this one is only their way.
            record.isSilent = fault == nil
            http.serveTunnel(Tunnel(authority, isSecure: false, fields: fields))
        case .nothing:
            http.abort(.close)
        case .unknown(let octet):
            record.outcome = .failed("tunnel-speech")
            core.log(
                .warning,
                "CONNECT \(authority.text): what came begins with octet \(octet), which is neither TLS nor HTTP, and was closed;"
                    + " --tunnel \(authority.host) passes it unseen")
            http.abort(.close)
        }
    }

    private func shakeHands(_ fault: HandshakeFault?, _ record: inout Exchange.Record) async {
        let tunnel = Tunnel(authority, isSecure: true, fields: fields)
        do throws(HandshakeFailure) {
            try await http.secureTunnel(tunnel) { hello in try await identity(for: hello, fault) }
            record.isSilent = fault == nil
            if fault != nil {
                core.log(
                    .info,
                    "CONNECT \(authority.text): the handshake was made; a client that minds the certificate leaves now")
            }
        } catch {
            http.abort(.close)
            if fault != nil {
                core.log(.info, "CONNECT \(authority.text): the handshake ended as it was to: \(error.reason)")
            } else {
                record.outcome = .failed("tls-handshake")
                core.log(error.isOurs ? .error : .warning, "CONNECT \(authority.text): \(error.explained(authority))")
            }
        }
    }

    /// The certificate for the name that the client wants, else for the host of the CONNECT.
    private func identity(for hello: ClientHello, _ fault: HandshakeFault?) async throws -> TLSIdentity? {
        guard let name = hello.serverName ?? ServerName(host: authority.host) else {
            throw TLSError("no certificate can name \(authority.host)")
        }
        if fault == nil, let kept = core.interception.issuer?.kept(for: name) { return kept }
        return try await core.queue.run { [core] in
            let issuer = try core.interception.load()
            return try fault.map { try $0.identity(issuer, name) } ?? issuer.identity(for: name)
        }
    }

    // MARK: Unseen

    private func passUnseen(_ record: inout Exchange.Record) async throws(ConnectionError) {
        guard let clients = core.upstreamClients else {
            record.outcome = .miss
            let problem = Problem.tunnelInReplay(to: authority, status: core.options.missStatus)
            record.status = problem.status
            core.log(.warning, "miss: \(problem.detail)", status: problem.status)
            return try await http.deliver(Answer(miss: problem), nil)
        }
        let far: TunnelSocket
        do throws(UpstreamError) {
            far = try await clients.value(on: http.loop).dial(authority)
        } catch {
            return try await refuse(Problem(error), &record)
        }
        try await http.openTunnel()
        record.status = 200
        record.outcome = .tunneled
        core.count(await http.passTunnel(to: far))
    }

    private func refuse(_ problem: Problem, _ record: inout Exchange.Record) async throws(ConnectionError) {
        record.outcome = .failed(problem.label)
        record.status = problem.status
        core.log(.warning, "refused: CONNECT \(authority.text): \(problem.detail)", status: problem.status)
        try await http.deliver(Answer(problem), nil)
    }
}

extension HandshakeFailure {
    /// Why, and what to type next.
    fileprivate func explained(_ authority: Authority) -> String {
        if let hello, !hello.takesHTTP1 {
            let offered = hello.protocols.joined(separator: ", ")
            return "the client offers \(offered) alone (ALPN), and HTTP/1.1 is what is spoken here"
        }
        let distrust = ["unknown ca", "certificate unknown", "bad certificate", "unsupported certificate"]
        if distrust.contains(where: { reason.contains($0) }) {
            return
                "the client does not trust the deck's certificate authority (\(reason)): see tapedeck ca trust; one that"
                + " knows its server's own certificate needs --tunnel \(authority.host)"
        }
        return "no TLS: \(reason)"
    }
}

extension Problem {
    /// There is no authority to sign certificates with.
    fileprivate static func noAuthority(_ error: any Error) -> Problem {
        let error = error as? TLSError ?? TLSError("the certificate authority cannot be had: \(error)")
        return Problem(
            status: 500, label: "certificate-authority",
            detail: error.message + (error.advice.isEmpty ? "" : ": " + error.advice))
    }

    /// What is passed unseen is in no cassette.
    fileprivate static func tunnelInReplay(to authority: Authority, status: Int) -> Problem {
        Problem(
            status: status, label: "tunnel", title: missTitle,
            detail:
                "\(authority.text) is passed unseen while recording (--tunnel), so there is nothing to replay: take it off "
                + "that list and record it, or let the app do without it.")
    }
}
