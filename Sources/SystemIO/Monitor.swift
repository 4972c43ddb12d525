#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// State that threads of our own change and wait on: a lock with a condition (`pthread_cond_wait(3)`).
///
/// Only threads that may block wait here; a task never does.
package final class Monitor<State: Sendable>: @unchecked Sendable {
    // `@unchecked`: `state` is touched only while `mutex` is held, and the two pointers never change.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var state: State

    package init(_ state: State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
            pthread_cond_init(condition, nil)
        #else
            // Times are monotonic, so that setting the wall clock wakes nobody.
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(condition, &attributes)
            pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Changes the state and wakes all that wait.
    package func change<Value>(_ body: (inout State) -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return body(&state)
    }

    /// Blocks until `poll` gives a value; it is asked again after each change. Nil when the time is over first.
    package func wait<Value>(atMost milliseconds: Int? = nil, for poll: (inout State) -> Value?) -> Value? {
        let deadline = milliseconds.map { Monotonic.nanoseconds() + UInt64($0) * 1_000_000 }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let value = poll(&state) { return value }
            guard let deadline else {
                pthread_cond_wait(condition, mutex)
                continue
            }
            let now = Monotonic.nanoseconds()
            if now >= deadline { return nil }
            pause(until: deadline, now: now)
        }
    }

    private func pause(until deadline: UInt64, now: UInt64) {
        #if canImport(Darwin)
            var span = timespec(
                tv_sec: Int((deadline - now) / 1_000_000_000), tv_nsec: Int((deadline - now) % 1_000_000_000))
            pthread_cond_timedwait_relative_np(condition, mutex, &span)
        #else
            var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
            pthread_cond_timedwait(condition, mutex, &time)
        #endif
    }
}
