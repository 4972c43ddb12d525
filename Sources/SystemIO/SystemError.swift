#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A system call that failed: which one, on what, and why.
package struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The call's name as in its manual page, such as `open`.
    package var call: String
    /// The file it was about, if any.
    package var path: String?
    /// The error number the system gave (`errno(3)`).
    package var errno: Int32

    package init(call: String, path: String? = nil, errno: Int32) {
        self.call = call
        self.path = path
        self.errno = errno
    }

    /// The system's words for the error number, such as `No space left on device`.
    package var reason: String { String(cString: strerror(errno)) }

    /// One line for people, such as `open /data/a.json: Permission denied`.
    package var message: String {
        guard let path else { return "\(call): \(reason)" }
        return "\(call) \(path): \(reason)"
    }

    package var description: String { message }
}
