import Synchronization

/// What the program did on the network, of all loops together since its start: the proof that a replay did nothing.
enum UpstreamCounters {
    private static let opened = Atomic<Int>(0)
    private static let lookedUp = Atomic<Int>(0)

    static var connections: Int { opened.load(ordering: .relaxed) }
    static var lookUps: Int { lookedUp.load(ordering: .relaxed) }

    static func countConnection() {
        opened.wrappingAdd(1, ordering: .relaxed)
    }

    static func countLookUp() {
        lookedUp.wrappingAdd(1, ordering: .relaxed)
    }
}
