/// The timers of one loop, soonest first: a binary heap in which every timer knows its place, so that one can be taken out.
struct TimerHeap {
    private var timers: [EventLoop.Timer] = []
    private var nextSequence: UInt64 = 0

    var soonest: UInt64? { timers.first?.deadline }

    /// Adds a timer that is in no heap. Of two with the same deadline the one that was added first comes first.
    mutating func add(_ timer: EventLoop.Timer) {
        timer.sequence = nextSequence
        nextSequence += 1
        timer.place = timers.count
        timers.append(timer)
        rise(from: timers.count - 1)
    }

    /// Takes a timer out; nothing happens to one that is in no heap.
    mutating func remove(_ timer: EventLoop.Timer) {
        guard let place = timer.place else { return }
        timer.place = nil
        let last = timers.removeLast()
        guard last !== timer else { return }
        put(last, at: place)
        rise(from: place)
        sink(from: place)
    }

    /// Takes out the soonest timer if it is due.
    mutating func takeDue(_ now: UInt64) -> EventLoop.Timer? {
        guard let first = timers.first, first.deadline <= now else { return nil }
        remove(first)
        return first
    }

    private mutating func put(_ timer: EventLoop.Timer, at place: Int) {
        timers[place] = timer
        timer.place = place
    }

    private mutating func rise(from start: Int) {
        var place = start
        let timer = timers[place]
        while place > 0 {
            let parent = (place - 1) / 2
            guard timer.isBefore(timers[parent]) else { break }
            put(timers[parent], at: place)
            place = parent
        }
        put(timer, at: place)
    }

    private mutating func sink(from start: Int) {
        var place = start
        let timer = timers[place]
        while true {
            var child = 2 * place + 1
            guard child < timers.count else { break }
            if child + 1 < timers.count, timers[child + 1].isBefore(timers[child]) { child += 1 }
            guard timers[child].isBefore(timer) else { break }
            put(timers[child], at: place)
            place = child
        }
        put(timer, at: place)
    }
}
