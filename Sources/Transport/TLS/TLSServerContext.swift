import COpenSSL
import CShims

/// What all of the program's TLS servers share (`SSL_CTX_new(3)`): versions, the choice of protocol, and no memory of clients.
final class TLSServerContext: Sendable {
    /// Nil where OpenSSL has no memory, or lacks TLS 1.2.
    static let shared = TLSServerContext()

    let handle: OpenSSLHandle

    private init?() {
        guard let pointer = SSL_CTX_new(TLS_server_method()) else { return nil }
        handle = OpenSSLHandle(takingOwnership: pointer, free: SSL_CTX_free)
        guard tapedeck_tls_prepare_context(UnsafeMutableRawPointer(pointer)) == 1 else { return nil }
        SSL_CTX_set_client_hello_cb(pointer, helloCame, nil)
        SSL_CTX_set_alpn_select_cb(pointer, protocolsCame, nil)
    }
}

/// Pauses the handshake until its session has an identity to show.
private func helloCame(
    _ ssl: OpaquePointer?, alert: UnsafeMutablePointer<Int32>?, _: UnsafeMutableRawPointer?
) -> Int32 {
    guard let ssl, let session = TLSSession.of(ssl) else { return SSL_CLIENT_HELLO_ERROR }
    switch session.helloCame(ClientHello(ssl)) {
    case .waits: return SSL_CLIENT_HELLO_RETRY
    case .goesOn: return SSL_CLIENT_HELLO_SUCCESS
    case .refused:
        alert?.pointee = SSL_AD_HANDSHAKE_FAILURE
        return SSL_CLIENT_HELLO_ERROR
    }
}

/// Chooses HTTP/1.1; a client that offers protocols without it is told so by an alert (RFC 7301 §3.2).
private func protocolsCame(
    _: OpaquePointer?, chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, size: UnsafeMutablePointer<UInt8>?,
    offered: UnsafePointer<UInt8>?, count: UInt32, _: UnsafeMutableRawPointer?
) -> Int32 {
    guard let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let list = UnsafeBufferPointer(start: offered, count: Int(count))
    var at = 0
    while at < list.count {
        let end = at + 1 + Int(list[at])
        guard end <= list.count else { break }
        if list[(at + 1)..<end].elementsEqual("http/1.1".utf8) {
            chosen?.pointee = offered + at + 1
            size?.pointee = list[at]
            return SSL_TLSEXT_ERR_OK
        }
        at = end
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}
