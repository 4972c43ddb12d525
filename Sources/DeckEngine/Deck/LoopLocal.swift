import SystemIO
import Transport

/// One value per event loop, made on first use and used on its own loop only.
final class LoopLocal<Value>: Sendable {
    private let make: @Sendable (EventLoop) -> Value
    private let values = Locked<[ObjectIdentifier: LoopBound<Value>]>([:])

    init(_ make: @escaping @Sendable (EventLoop) -> Value) { self.make = make }

    /// The value of `loop`; call it on that loop.
    func value(on loop: EventLoop) -> Value {
        let bound = values.withLock { values in
            if let value = values[ObjectIdentifier(loop)] { return value }
            let value = LoopBound(make(loop), on: loop)
            values[ObjectIdentifier(loop)] = value
            return value
        }
        return bound.value
    }

    /// Ends every value on its own loop; returns when all have ended.
    func end(on group: EventLoopGroup, _ end: @escaping @Sendable (Value) -> Void) async {
        for loop in group.loops {
            await loop.spawn { [self] in
                let bound = values.withLock { $0.removeValue(forKey: ObjectIdentifier(loop)) }
                if let bound { end(bound.value) }
            }.value
        }
    }
}
