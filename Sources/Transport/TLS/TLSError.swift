import COpenSSL

/// Why a certificate, a key or a handshake could not be had.
package struct TLSError: Error, Sendable, Equatable {
    /// What happened, to which thing.
    package var message: String
    /// What to do next; empty where nothing can be said.
    package var advice: String

    package init(_ message: String, advice: String = "") {
        self.message = message
        self.advice = advice
    }
}

/// OpenSSL's queue of errors, one for each thread (`ERR_get_error(3)`).
enum OpenSSLErrors {
    /// Forgets what earlier calls left; before each call whose failure is to be told.
    static func clear() { ERR_clear_error() }

    /// OpenSSL's words for the first error in the queue, which is empty afterwards.
    static func drain() -> String {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0 else { return "no reason given" }
        guard let words = ERR_reason_error_string(code) else { return "error \(String(code, radix: 16))" }
        return String(cString: words)
    }

    /// What a call of OpenSSL gave, or its error. `what` names what was to be done, as "a key could not be made".
    static func checked<Value>(_ value: Value?, _ what: String) throws(TLSError) -> Value {
        guard let value else { throw TLSError("\(what): \(drain())") }
        return value
    }

    /// Throws where a call of OpenSSL did not say 1.
    static func check(_ code: Int32, _ what: String) throws(TLSError) {
        if code != 1 { throw TLSError("\(what): \(drain())") }
    }
}

/// An object of OpenSSL's that is freed when its last owner goes.
///
/// `@unchecked Sendable`: what is kept in one is not changed once it is made, and OpenSSL counts its users atomically.
final class OpenSSLHandle: @unchecked Sendable {
    let pointer: OpaquePointer
    private let free: (OpaquePointer?) -> Void

    init(takingOwnership pointer: OpaquePointer, free: @escaping (OpaquePointer?) -> Void) {
        self.pointer = pointer
        self.free = free
    }

    deinit { free(pointer) }
}
