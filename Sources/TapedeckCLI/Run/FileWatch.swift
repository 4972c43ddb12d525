import Dispatch
import SystemIO

/// Looks at files again and again, and says so when one has changed and holds still again.
///
/// It compares size, time of change and inode, which any file system has, so that no means of one system is needed.
final class FileWatch: Sendable {
    /// How often it looks: soon enough for who has just saved a file, and next to nothing in work.
    private static let interval = DispatchTimeInterval.milliseconds(250)

    private struct State {
        /// What was there when the change was last told.
        var told: [Files.Stamp?]
        /// What was there at the last look.
        var last: [Files.Stamp?]
    }

    private let state: Locked<State>
    private let files: @Sendable () -> [String]
    private let onChange: @Sendable () -> Void

    /// - Parameters:
    ///   - files: the paths to look at; asked at each look.
    ///   - onChange: called on a thread of the system's.
    init(_ files: @escaping @Sendable () -> [String], onChange: @escaping @Sendable () -> Void) {
        self.files = files
        self.onChange = onChange
        let now = files().map { Files.stamp($0) }
        state = Locked(State(told: now, last: now))
    }

    /// Looks until the program ends.
    func start() {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.interval) { [self] in
            look()
            start()
        }
    }

    /// Looks once.
    func look() {
        let now = files().map { Files.stamp($0) }
        let isChange = state.withLock { state in
            defer { state.last = now }
            guard now == state.last, now != state.told else { return false }
            state.told = now
            return true
        }
        if isChange { onChange() }
    }
}
