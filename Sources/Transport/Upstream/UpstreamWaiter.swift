/// A place where one task of a loop waits until it is woken or cancelled. Lives on the loop.
final class UpstreamWaiter {
    private let loop: EventLoop
    private var waiting: UnsafeContinuation<Void, Never>?
    /// Woken by a cancellation before it could wait.
    private var isWoken = false

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    /// Returns after `wake()` or when the task is cancelled, and now and then for no reason: the caller looks again.
    func wait() async {
        let bound = LoopBound(self, on: loop)
        let loop = loop
        await withTaskCancellationHandler {
            await bound.value.suspend()
        } onCancel: {
            if loop.isCurrent {
                bound.value.wakeForGood()
            } else {
                loop.execute { bound.value.wakeForGood() }
            }
        }
    }

    /// Lets the task that waits go on; nothing happens when none does.
    func wake() {
        guard let continuation = waiting else { return }
        waiting = nil
        continuation.resume()
    }

    private func suspend() async {
        await withUnsafeContinuation { continuation in
            precondition(waiting == nil, "two tasks wait for the same side of an upstream exchange")
            if isWoken {
                isWoken = false
                continuation.resume()
            } else {
                waiting = continuation
            }
        }
    }

    private func wakeForGood() {
        if waiting == nil { isWoken = true } else { wake() }
    }
}
