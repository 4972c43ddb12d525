import CCurl
import CShims

/// The functions that libcurl calls for an exchange: each recovers the exchange and calls one method.
let upstreamCallbacks = CurlCallbacks(
    header: headerLine, body: bodyOctets, upload: uploadOctets, debug: debugWords, connected: connectionStands,
    lookUp: lookUpStarts, trailers: trailerLines, openSocket: socketOpens)

private func exchange(_ context: UnsafeMutableRawPointer) -> UpstreamExchange {
    Unmanaged<UpstreamExchange>.fromOpaque(context).takeUnretainedValue()
}

/// Any count but that of the octets makes libcurl end the transfer; this one is never a count or a pause.
private let refusal = Int(UInt32.max)

private func headerLine(
    _ octets: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return refusal }
    let line = UnsafeRawBufferPointer(start: octets, count: size * count)
    return exchange(context).takeLine(line) ? size * count : refusal
}

private func bodyOctets(
    _ octets: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return refusal }
    switch exchange(context).takeBody(UnsafeRawBufferPointer(start: octets, count: size * count)) {
    case true: return size * count
    case false: return refusal
    case nil: return Int(CURL_WRITEFUNC_PAUSE)
    }
}

private func uploadOctets(
    _ octets: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
    guard let context else { return Int(CURL_READFUNC_ABORT) }
    return exchange(context).supply(UnsafeMutableRawBufferPointer(start: octets, count: size * count))
}

private func debugWords(
    _: UnsafeMutableRawPointer?, kind: Int32, octets: UnsafeMutablePointer<CChar>?, size: Int,
    context: UnsafeMutableRawPointer?
) -> Int32 {
    if let context, kind == Int32(CURLINFO_TEXT.rawValue) {
        exchange(context).takeWords(UnsafeRawBufferPointer(start: octets, count: size))
    }
    return 0
}

private func connectionStands(
    _ context: UnsafeMutableRawPointer?, peer _: UnsafeMutablePointer<CChar>?, own _: UnsafeMutablePointer<CChar>?,
    peerPort _: Int32, ownPort _: Int32
) -> Int32 {
    if let context { exchange(context).connected() }
    return CURL_PREREQFUNC_OK
}

private func lookUpStarts(
    _: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?, context: UnsafeMutableRawPointer?
) -> Int32 {
    if let context { exchange(context).willLookUp() }
    return 0
}

private func trailerLines(
    _ list: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let list, let context else { return CURL_TRAILERFUNC_ABORT }
    var lines = CurlList()
    for line in exchange(context).trailers where !lines.append(line) { return CURL_TRAILERFUNC_ABORT }
    // libcurl frees it.
    list.pointee = UnsafeMutableRawPointer(lines.release())
    return CURL_TRAILERFUNC_OK
}

private func socketOpens(
    _ context: UnsafeMutableRawPointer?, purpose _: Int32, address: UnsafeMutableRawPointer?
) -> Int32 {
    UpstreamCounters.countConnection()
    let fd = tapedeck_curl_open_socket(address)
    if let context, fd >= 0 { exchange(context).opened(fd) }
    return fd
}
