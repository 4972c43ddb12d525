import COpenSSL
import HTTPCore

/// The server's side of TLS on one socket: octets of the application on one side, records on the other.
///
/// Lives on the socket's loop, and its socket owns it. OpenSSL reads and writes by ``TLSStream``, straight from and to the
/// kernel; nothing waits here.
final class TLSSession {
    /// What a handshake needs to go on.
    enum Step {
        case done
        case needsOctets
        case needsRoom
        /// `show` or `refuse` is to be called.
        case needsIdentity(ClientHello)
        /// It is over; the words are OpenSSL's.
        case failed(String)
    }

    /// What the callback for a client's hello makes of it.
    enum Choice { case waits, goesOn, refused }

    private let ssl: OpaquePointer
    private unowned let socket: Socket
    /// Records that were read before the session began.
    private var early: ArraySlice<UInt8>
    private var choice = Choice.waits
    private var hello: ClientHello?
    private var isOpen = false
    /// An alert was sent or came, or the records made no sense: what comes now is nobody's, and only the kernel can have it.
    private var isBroken = false
    /// The client's input has ended, with or without a word.
    private var sawEnd = false
    private var hasFailed = false
    private var mayHaveRecords = true
    /// Whether a read may give something though the kernel has nothing new. Never in a broken session: a wait that is told so
    /// again and again never ends.
    var mayHoldMore: Bool { mayHaveRecords && !isBroken }
    /// Whether a read has to send something first.
    private(set) var readWaitsForRoom = false

    /// - Parameter early: what has come already.
    init(_ context: TLSServerContext, over socket: Socket, early: Bytes) throws(TLSError) {
        OpenSSLErrors.clear()
        ssl = try OpenSSLErrors.checked(SSL_new(context.handle.pointer), "TLS could not begin")
        self.socket = socket
        self.early = early[...]
        // One system call for a record rather than one for its head and one for the rest.
        SSL_set_read_ahead(ssl, 1)
        SSL_set_accept_state(ssl)
        SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
        guard let stream = TLSStream.make(for: self) else { throw TLSError("TLS could not begin: no memory") }
        // Owned by the session once for both directions.
        SSL_set_bio(ssl, stream, stream)
    }

    deinit { SSL_free(ssl) }

    /// The session that a callback of OpenSSL's is about.
    static func of(_ ssl: OpaquePointer) -> TLSSession? {
        SSL_get_ex_data(ssl, 0).map { Unmanaged<TLSSession>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: Handshake

    /// Goes on with the handshake as far as it goes.
    func handshake() -> Step {
        OpenSSLErrors.clear()
        let result = SSL_do_handshake(ssl)
        if result == 1 {
            isOpen = true
            mayHaveRecords = true
            return .done
        }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ:
            mayHaveRecords = false
            return .needsOctets
        case SSL_ERROR_WANT_WRITE: return .needsRoom
        case SSL_ERROR_WANT_CLIENT_HELLO_CB: return .needsIdentity(hello ?? ClientHello())
        default:
            isBroken = true
            return .failed(sawEnd || hasFailed ? "the client left within the handshake" : OpenSSLErrors.drain())
        }
    }

    /// Goes on with this certificate.
    func show(_ identity: TLSIdentity) throws(TLSError) {
        let what = "the certificate could not be shown"
        try OpenSSLErrors.check(SSL_use_certificate(ssl, identity.certificate.handle.pointer), what)
        try OpenSSLErrors.check(SSL_use_PrivateKey(ssl, identity.key.handle.pointer), what)
        choice = .goesOn
    }

    /// Ends the handshake with the alert `handshake_failure`, when it goes on.
    func refuse() { choice = .refused }

    /// Called by OpenSSL, again each time that the handshake goes on.
    func helloCame(_ hello: ClientHello) -> Choice {
        self.hello = hello
        return choice
    }

    // MARK: Octets

    /// Reads octets of the application, at most one record's.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Socket.Received {
        // After a failure what comes is only dropped, so that the client can read why.
        if isBroken { return socket.take(into: buffer) }
        if sawEnd { return .end }
        OpenSSLErrors.clear()
        let count = SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count))
        if count > 0 { return .octets(Int(count)) }
        switch SSL_get_error(ssl, count) {
        case SSL_ERROR_WANT_READ:
            mayHaveRecords = false
            return .wouldBlock
        case SSL_ERROR_WANT_WRITE:
            mayHaveRecords = false
            readWaitsForRoom = true
            return .wouldBlock
        case SSL_ERROR_ZERO_RETURN:
            sawEnd = true
            return .end
        default:
            OpenSSLErrors.clear()
            // An input that ends without a word cuts no request short unseen: its framing tells (RFC 9112 §9.8).
            if sawEnd { return .end }
            isBroken = true
            return .failed
        }
    }

    /// New octets, or room for some, may have come.
    func socketIsReady() {
        mayHaveRecords = true
        readWaitsForRoom = false
    }

    /// The most octets that one record has (RFC 8446 §5.1).
    static let recordSize = 16_384

    /// Sends octets of the application, and gives how many the kernel has taken whole; 0 when it takes no more now, after
    /// which the same octets are given again. Nil for a failure.
    func write(_ octets: UnsafeRawBufferPointer) -> Int? {
        if isBroken { return nil }
        if octets.isEmpty { return 0 }
        OpenSSLErrors.clear()
        let count = SSL_write(ssl, octets.baseAddress, Int32(clamping: min(octets.count, Self.recordSize)))
        if count > 0 { return Int(count) }
        if SSL_get_error(ssl, count) == SSL_ERROR_WANT_WRITE { return 0 }
        OpenSSLErrors.clear()
        isBroken = true
        return nil
    }

    /// Tells the client, where the kernel takes it now, that nothing more comes (`close_notify`, RFC 8446 §6.1).
    func finish() {
        guard isOpen, !isBroken else { return }
        isOpen = false
        OpenSSLErrors.clear()
        _ = SSL_shutdown(ssl)
        OpenSSLErrors.clear()
    }

    // MARK: Called by the stream

    /// Gives OpenSSL records to read.
    func supply(_ buffer: UnsafeMutableRawBufferPointer) -> Socket.Received {
        guard early.isEmpty else {
            let count = min(early.count, buffer.count)
            early.prefix(count).withUnsafeBytes { buffer.copyMemory(from: $0) }
            early = early.dropFirst(count)
            if early.isEmpty { early = [] }
            return .octets(count)
        }
        let received = socket.take(into: buffer)
        switch received {
        case .end: sawEnd = true
        case .failed: hasFailed = true
        case .octets, .wouldBlock: break
        }
        return received
    }

    /// Takes records from OpenSSL; 0 when there is no room, nil for a failure.
    func deliver(_ records: UnsafeRawBufferPointer) -> Int? { socket.hand(records) }
}
