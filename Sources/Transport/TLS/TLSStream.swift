import COpenSSL

/// How OpenSSL reads and writes a session's records: a BIO (`BIO_meth_new(3)`) that asks the session for them.
enum TLSStream {
    /// Nil when memory is out.
    private static let method: OpenSSLHandle? = {
        let kind = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK
        guard let method = BIO_meth_new(kind, "connection"), BIO_meth_set_read(method, readRecords) == 1,
            BIO_meth_set_write(method, writeRecords) == 1, BIO_meth_set_ctrl(method, controlStream) == 1
        else { return nil }
        return OpenSSLHandle(takingOwnership: method, free: BIO_meth_free)
    }()

    /// Makes a session's stream, which the session outlives. The caller owns it.
    static func make(for session: TLSSession) -> OpaquePointer? {
        guard let method, let stream = BIO_new(method.pointer) else { return nil }
        BIO_set_data(stream, Unmanaged.passUnretained(session).toOpaque())
        BIO_set_init(stream, 1)
        return stream
    }

    fileprivate static func session(_ stream: OpaquePointer?) -> TLSSession? {
        BIO_get_data(stream).map { Unmanaged<TLSSession>.fromOpaque($0).takeUnretainedValue() }
    }
}

private func readRecords(_ stream: OpaquePointer?, octets: UnsafeMutablePointer<CChar>?, count: Int32) -> Int32 {
    BIO_clear_flags(stream, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
    guard let session = TLSStream.session(stream), count > 0 else { return 0 }
    switch session.supply(UnsafeMutableRawBufferPointer(start: octets, count: Int(count))) {
    case .octets(let count): return Int32(clamping: count)
    case .end: return 0
    case .failed: return -1
    case .wouldBlock:
        BIO_set_flags(stream, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
        return -1
    }
}

private func writeRecords(_ stream: OpaquePointer?, octets: UnsafePointer<CChar>?, count: Int32) -> Int32 {
    BIO_clear_flags(stream, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
    guard let session = TLSStream.session(stream), count > 0 else { return 0 }
    guard let taken = session.deliver(UnsafeRawBufferPointer(start: octets, count: Int(count))) else { return -1 }
    if taken > 0 { return Int32(clamping: taken) }
    BIO_set_flags(stream, BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
    return -1
}

/// Nothing is kept back, so that a flush has nothing to do.
private func controlStream(
    _: OpaquePointer?, command: Int32, _: Int, _: UnsafeMutableRawPointer?
) -> Int {
    command == BIO_CTRL_FLUSH ? 1 : 0
}
