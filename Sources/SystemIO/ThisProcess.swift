#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The process that this program runs as.
package enum ThisProcess {
    /// Its id, by which a signal reaches it.
    package static var id: Int { Int(getpid()) }
}
