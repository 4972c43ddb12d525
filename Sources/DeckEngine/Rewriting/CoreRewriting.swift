import CassetteKit
import ControlAPI
import HTTPCore
import Transport

extension DeckCore {
    /// The upstreams as the control API tells them.
    var upstreamStates: [UpstreamState] {
        let named = cassette.named.sorted { $0.key < $1.key }
        var states = named.map { UpstreamState(name: $0.key, url: $0.value.text) }
        if let home = addressing.home {
            let first = UpstreamOrigin(scheme: home.scheme, authority: home.authority)
            if !cassette.named.values.contains(first) { states.insert(UpstreamState(url: first.text), at: 0) }
        }
        return states
    }

    /// Turns references to the upstream's own address into the deck's, for a client that reaches it as a server.
    func rewrite(_ head: inout ResponseHead, _ http: ServerExchange, _ address: Address) {
        rewriting(http, address)?.apply(to: &head.fields)
    }

    /// The same in a text body, where the deck has upstreams with names.
    func rewriteBody(_ answer: inout Answer, _ http: ServerExchange, _ address: Address) {
        guard let rewriting = bodyRewriting(http, address), !answer.body.isEmpty,
            RewrittenBody(answer.head, answer.framing) != .untouched,
            let body = rewriting.body(
                answer.body, coding: answer.head.fields.text("Content-Encoding"), codecs: codecs)
        else { return }
        answer.body = body
        answer.head.fields.forgetBody()
        if case .length = answer.framing {
            answer.framing = .length(body.count)
            answer.head.fields.set("Content-Length", String(body.count))
        }
    }

    /// What leads to this deck's upstreams in bodies, for this client; nil where bodies stay as they are.
    func bodyRewriting(_ http: ServerExchange, _ address: Address) -> Rewriting? {
        cassette.named.isEmpty ? nil : rewriting(http, address)
    }

    /// What leads to this deck's upstreams, for this client; nil for a proxy's client, and where nothing is rewritten.
    private func rewriting(_ http: ServerExchange, _ address: Address) -> Rewriting? {
        guard !options.keepsReferences, !address.isForward, let host = http.head.fields.first("Host") else {
            return nil
        }
        return Rewriting(upstream: address, clientHost: host, others: places(http.listenerPort, address))
    }

    /// Where a client of a port reaches each upstream. On a session's own port all stay below it, for another port belongs to
    /// no session.
    private func places(_ port: Int, _ address: Address) -> [Rewriting.Place] {
        guard !cassette.named.isEmpty else { return [] }
        let mark = Bytes("/_up/".utf8)
        let end = address.prefix.firstRange(of: mark)?.lowerBound ?? address.prefix.count
        let session = Bytes(address.prefix.prefix(end))
        let isOnUpstreamPort = upstreamPorts.values.contains(port)
        let isShared = isOnUpstreamPort || port == addressing.sharedPort
        var places = cassette.named.sorted { $0.key < $1.key }.map { name, origin in
            let own = isShared ? upstreamPorts[name] : nil
            return Rewriting.Place(
                scheme: origin.scheme, authority: origin.authority,
                prefix: own == nil ? session + mark + Bytes(name.utf8) : session,
                port: own ?? (isOnUpstreamPort ? addressing.sharedPort : nil))
        }
        if let home = addressing.home, !places.contains(where: { $0.authority == home.authority }) {
            places.append(
                Rewriting.Place(
                    scheme: home.scheme, authority: home.authority, prefix: session,
                    port: isOnUpstreamPort ? addressing.sharedPort : nil))
        }
        return places
    }
}
