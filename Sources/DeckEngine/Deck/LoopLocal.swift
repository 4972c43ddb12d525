import Synchronization
import Transport

/// One value per event loop, made on first use and used on its own loop only.
///
/// `@unchecked Sendable`: the table is under the lock; a value in it is only touched on the loop it belongs to.
final class LoopLocal<Value>: @unchecked Sendable {
    private let make: @Sendable (EventLoop) -> Value
    private let lock = Mutex(())
    private var values: [ObjectIdentifier: Value] = [:]

    init(_ make: @escaping @Sendable (EventLoop) -> Value) { self.make = make }

    /// The value of `loop`; call it on that loop.
    func value(on loop: EventLoop) -> Value {
        lock.withLock { _ in
            if let value = values[ObjectIdentifier(loop)] { return value }
            let value = make(loop)
            values[ObjectIdentifier(loop)] = value
            return value
        }
    }

    /// Ends every value on its own loop; returns when all have ended.
    func end(on group: EventLoopGroup, _ end: @escaping @Sendable (Value) -> Void) async {
        for loop in group.loops {
            await loop.spawn { [self] in
                let value = lock.withLock { _ in values.removeValue(forKey: ObjectIdentifier(loop)) }
                if let value { end(value) }
            }.value
        }
    }
}
