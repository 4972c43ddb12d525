#if canImport(Darwin)
    package import Darwin
#else
    package import Glibc
#endif

/// State that several threads change, each for a few lines at a time, behind a lock (`pthread_mutex_lock(3)`).
///
/// It stands where `Synchronization.Mutex` could: the thread sanitizer follows this lock, but cannot see into that one, which
/// comes compiled with the standard library, and would call every use of it a race.
///
/// `@unchecked Sendable`: what lies behind `state` is touched only while `mutex` is held, and the pointers never change.
package struct Locked<State: ~Copyable>: ~Copyable, @unchecked Sendable {
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let state: UnsafeMutablePointer<State>

    package init(_ state: consuming sending State) {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        self.state = .allocate(capacity: 1)
        self.state.initialize(to: state)
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Reads or changes the state while no other thread does. Not to be called from within `body`.
    @inlinable
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending State) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state.pointee)
    }
}
