#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Makes system calls and turns their failures into `SystemError`. The only place that reads `errno`.
package enum SystemCall {
    /// Makes a call that says -1 when it fails, again as often as a signal interrupts it (`EINTR`).
    ///
    /// `close(2)` does not belong here: its descriptor is gone even when it was interrupted.
    package static func retry<Value: SignedInteger>(
        _ call: String, _ path: String? = nil, _ body: () -> Value
    ) throws(SystemError) -> Value {
        while true {
            let value = body()
            let code = errno
            if value != -1 { return value }
            if code != EINTR { throw SystemError(call: call, path: path, errno: code) }
        }
    }

    /// Makes a call once that says -1 when it fails.
    package static func once(_ call: String, _ path: String? = nil, _ body: () -> Int32) throws(SystemError) {
        let value = body()
        let code = errno
        if value == -1 { throw SystemError(call: call, path: path, errno: code) }
    }

    /// Makes a call that returns a null pointer when it fails.
    static func pointer<Value>(_ call: String, _ path: String?, _ body: () -> Value?) throws(SystemError) -> Value {
        let value = body()
        let code = errno
        guard let value else { throw SystemError(call: call, path: path, errno: code) }
        return value
    }

    /// Makes a call that returns a null pointer at the end as well as on failure, and tells the two apart by `errno`.
    static func next<Value>(_ call: String, _ path: String?, _ body: () -> Value?) throws(SystemError) -> Value? {
        errno = 0
        let value = body()
        let code = errno
        if value == nil, code != 0 { throw SystemError(call: call, path: path, errno: code) }
        return value
    }

    /// Makes a call that returns its error number, as those of `pthreads(7)` and `posix_spawn(3)` do.
    static func coded(_ call: String, _ path: String? = nil, _ body: () -> Int32) throws(SystemError) {
        let code = body()
        if code != 0 { throw SystemError(call: call, path: path, errno: code) }
    }

    /// Refuses a path with a NUL, which C would silently cut there.
    static func checkPath(_ path: String, for call: String) throws(SystemError) {
        if path.utf8.contains(0) { throw SystemError(call: call, path: path, errno: EINVAL) }
    }
}
