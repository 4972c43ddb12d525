import CassetteKit
import HTTPCore

/// The copy of one exchange on its way to the cassette: its place is taken when the request has come whole, its file is
/// written, off the loop, when the answer has.
///
/// Lives on the connection's loop.
final class StoredCopy {
    /// A request with a larger body is sanitized with its answer, off the loop, in octets.
    static let largestOnLoop = 65_536

    /// Whether the exchange is to be stored at all.
    let isWanted: Bool
    private let core: DeckCore
    private var state = State.waiting

    private enum State {
        case waiting
        case begun(CassetteRecorder.Ticket)
        case large(RawRequest)
        case done
    }

    init(_ core: DeckCore, isWanted: Bool) {
        self.core = core
        self.isWanted = isWanted && core.recorder != nil
    }

    /// Takes the place among equal requests: they are numbered by the end of the request.
    func begin(_ head: RequestHead, _ address: Address, _ body: Bytes?, _ trailers: Fields) {
        guard isWanted, case .waiting = state, let recorder = core.recorder else { return }
        let request = core.request(head, address, body: body, trailers: trailers)
        if body?.count ?? 0 > Self.largestOnLoop {
            state = .large(request)
        } else {
            state = .begun(recorder.begin(request))
        }
    }

    /// Hands the exchange to the writers; returns at once unless they are far behind.
    func store(_ response: RawResponse) async {
        let state = state
        self.state = .done
        switch state {
        case .waiting, .done:
            if isWanted { core.countNotStored("the answer came before the request's end") }
        case .begun(let ticket):
            await core.store(response) { _ in ticket }
        case .large(let request):
            await core.store(response) { $0.begin(request) }
        }
    }

    /// Gives the place up; the gap in the ordinals is legal.
    ///
    /// - Parameter reason: what the account says; nil where it is counted already.
    func abandon(_ reason: String? = "the exchange ended badly") {
        if case .begun(let ticket) = state { core.recorder?.abandon(ticket) }
        state = .done
        if isWanted, let reason { core.countNotStored(reason) }
    }
}
