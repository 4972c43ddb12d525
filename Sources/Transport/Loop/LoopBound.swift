/// A value that lives on one loop, carried through code that may run on any thread.
///
/// `@unchecked Sendable`: the value is reached on the loop's thread only, which is checked each time.
package struct LoopBound<Value>: @unchecked Sendable {
    private let loop: EventLoop
    private let bound: Value

    /// Called on the loop.
    package init(_ value: Value, on loop: EventLoop) {
        self.loop = loop
        bound = value
    }

    package var value: Value {
        precondition(loop.isCurrent, "a value of loop \(loop.index) was reached for on another thread")
        return bound
    }
}
