/// A deliberate failure on the wire, under the name that configurations, flags and reports use.
package enum FaultKind: String, CaseIterable, Sendable, Hashable {
    case timeout
    case stall
    case offline
    case connectionReset
    case emptyResponse
    case truncatedBody
    case malformedResponse
    case malformedChunk
    case wrongCoding
    case redirectLoop
    case tlsHandshake
    case tlsExpired
    case tlsWrongHost
    case tlsUntrusted

    /// What the fault does: the table from names to descriptions.
    package var details: FaultDescription {
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
        case .tlsHandshake: .tlsHandshake
        case .tlsExpired: .tlsExpired
        case .tlsWrongHost: .tlsWrongHost
        case .tlsUntrusted: .tlsUntrusted
        }
    }
}

/// What a fault does on the wire, as far as a decision depends on it.
package struct FaultDescription: Sendable, Equatable {
    /// How much of an answer the client sees.
    package enum Shows: Sendable, Equatable {
        /// Not one octet.
        case nothing
        /// Octets of the fault's own making: what a variant says about status or body has no place in it.
        case itsOwn
        /// Part of an answer, or all of it in a broken form: the variant's own one, else the recorded one, which stays the
        /// next of its sequence.
        case answer
    }

    /// One line for people: what happens on the wire.
    package var summary: String
    package var shows: Shows
    /// Whether the connection breaks, so that clients repeat the request silently on a reused one: every answer of a session
    /// with such a fault carries `Connection: close`.
    package var breaksConnection: Bool
    /// Whether the fault lies in the TLS handshake and so acts on CONNECT alone, before any request is known.
    package var needsTLS = false
    /// Whether a variant may say how much of the answer goes out before the end (``AnswerPart``).
    package var cutsAnswer = false
    /// The `URLError` code that a helper inside the app can be asked for, where the wire alone can't cause it.
    package var urlErrorCode: Int?
}
