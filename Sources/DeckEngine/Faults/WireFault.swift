import DeckRules
import HTTPCore
package import Transport

/// A deliberate failure as octets and socket ends: what `FaultKind` names, done to one exchange.
///
/// It runs when the request has been read, and ends the exchange. The answer that it cuts or spoils is the recorded or live
/// one, or `Answer.filler` where there is none.
package struct WireFault: Sendable {
    /// Breaks the exchange; `ConnectionError` when the client left first.
    package let run: @Sendable (_ http: ServerExchange, _ broken: BrokenAnswer) async throws(ConnectionError) -> Void

    package init(_ run: @escaping @Sendable (ServerExchange, BrokenAnswer) async throws(ConnectionError) -> Void) {
        self.run = run
    }
}

extension FaultKind {
    /// The table of faults of an exchange: one row and one file each. Nil for those of the TLS handshake (``inHandshake``).
    package var onTheWire: WireFault? {
        switch self {
        case .timeout: .timeout
        case .stall: .stall
        case .offline: .offline
        case .connectionReset: .connectionReset
        case .emptyResponse: .emptyResponse
        case .truncatedBody: .truncatedBody
        case .malformedResponse: .malformedResponse
        case .malformedChunk: .malformedChunk
        case .wrongCoding: .wrongCoding
        case .redirectLoop: .redirectLoop
        case .tlsHandshake, .tlsExpired, .tlsWrongHost, .tlsUntrusted: nil
        }
    }
}
