import CCurl
import CShims
import HTTPCore

/// What libcurl runs for a client: told of its end by libcurl's code, or ended from our side.
protocol UpstreamTransfer: AnyObject {
    func transferEnded(_ code: Int32)
    func end(_ reason: UpstreamError)
}

/// A connection being opened for a tunnel, by libcurl, so that names, addresses, time-outs and their words are those of all upstream
/// connections (`CURLOPT_CONNECT_ONLY`). Lives on its client's loop.
final class UpstreamDial: UpstreamTransfer {
    let easy: CurlEasy
    private let place: UpstreamPlace
    private unowned let client: UpstreamClient
    private let waiter: UpstreamWaiter
    private var result: Result<Int32, UpstreamError>?

    init(_ authority: Authority, client: UpstreamClient, easy: CurlEasy, loop: EventLoop, options: UpstreamOptions) {
        self.easy = easy
        self.client = client
        // As http, for as https libcurl would go on to shake hands.
        let request = UpstreamRequest(
            scheme: "http", authority: authority, method: "GET", target: [UInt8(ascii: "/")], fields: Fields())
        place = UpstreamPlace(request, options)
        waiter = UpstreamWaiter(loop)
        easy.setTransfer(request, options)
        easy.set(CURLOPT_CONNECT_ONLY, 1)
        easy.set(CURLOPT_FRESH_CONNECT, 1)
        easy.setDialCallbacks(openSocket: dialOpens, lookUp: dialLooksUp, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Waits for the connection, and gives its descriptor, which the caller then owns. A cancelled task ends it.
    func connected() async throws(UpstreamError) -> Int32 {
        while result == nil {
            if Task.isCancelled {
                end(.cancelled)
            } else {
                await waiter.wait()
            }
        }
        guard let result else { throw .cancelled }
        return try result.get()
    }

    func end(_ reason: UpstreamError) {
        if result == nil { leave(.failure(reason)) }
    }

    func transferEnded(_ code: Int32) {
        guard result == nil else { return }
        guard code == 0 else {
            let context = CurlErrors.Context(
                text: easy.errorText, systemError: easy.systemError, upstream: place.text, hasAnswer: false)
            return leave(.failure(CurlErrors.error(code, context)))
        }
        let fd = tapedeck_curl_take_socket(easy.handle)
        leave(fd < 0 ? .failure(.memory) : .success(fd))
    }

    private func leave(_ result: Result<Int32, UpstreamError>) {
        self.result = result
        client.remove(self, easy)
        waiter.wake()
    }

    fileprivate func opened(_ fd: Int32) { client.opened(fd) }

    fileprivate func looksUp() {
        if place.isNamed { UpstreamCounters.countLookUp() }
    }
}

private func dial(_ context: UnsafeMutableRawPointer) -> UpstreamDial {
    Unmanaged<UpstreamDial>.fromOpaque(context).takeUnretainedValue()
}

private func dialOpens(
    _ context: UnsafeMutableRawPointer?, purpose _: Int32, address: UnsafeMutableRawPointer?
) -> Int32 {
    UpstreamCounters.countConnection()
    let fd = tapedeck_curl_open_socket(address)
    if let context, fd >= 0 { dial(context).opened(fd) }
    return fd
}

private func dialLooksUp(
    _: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?, context: UnsafeMutableRawPointer?
) -> Int32 {
    if let context { dial(context).looksUp() }
    return 0
}
