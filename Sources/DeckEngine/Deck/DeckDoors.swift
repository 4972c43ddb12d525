import Transport

/// The open ports of a deck.
struct DeckDoors: Sendable {
    let proxy: Listener
    let control: Listener?
    /// Of upstreams that have a port of their own, by name.
    let upstreams: [(name: String, listener: Listener)]

    var upstreamPorts: [String: Int] {
        Dictionary(upstreams.map { ($0.name, $0.listener.port) }) { first, _ in first }
    }

    /// Listeners for clients.
    var forClients: [Listener] { [proxy] + upstreams.map(\.listener) }

    /// Opens all ports, or none.
    ///
    /// - Parameter upstreams: the names of the deck's upstreams.
    /// - Throws: `DeckError`; the loops are stopped then.
    static func open(
        _ options: DeckOptions, upstreams: [String], _ group: EventLoopGroup
    ) throws(DeckError) -> DeckDoors {
        var opened: [Listener] = []
        do throws(DeckError) {
            if let control = options.control, !control.isLoopback, options.controlToken == nil {
                throw DeckError(
                    .usage, "The control API on \(control.host) needs a token.",
                    advice: "give --control-token, or let it listen on localhost")
            }
            let proxy = try bind(options.listen, group, &opened)
            var control: Listener?
            if let address = options.control { control = try bind(address, group, &opened) }
            var named: [(String, Listener)] = []
            var ports = Ports(options.upstreamPorts)
            for name in options.upstreamPorts == .none ? [] : upstreams {
                named.append((name, try ports.bind(options.listen.host, group, &opened)))
            }
            return DeckDoors(proxy: proxy, control: control, upstreams: named)
        } catch {
            for listener in opened { listener.stop() }
            group.shutdown()
            throw error
        }
    }

    private static func bind(
        _ address: ListenAddress, _ group: EventLoopGroup, _ opened: inout [Listener]
    ) throws(DeckError) -> Listener {
        do throws(ListenError) {
            let listener = try Listener.bind(address, group: group)
            opened.append(listener)
            return listener
        } catch {
            throw DeckError(.start, error.message, advice: error.advice)
        }
    }

    /// The ports that upstreams take, one after the other.
    private struct Ports {
        private var left: [Int]

        init(_ ports: UpstreamPorts) {
            if case .range(let range) = ports { left = Array(range) } else { left = [] }
            isAny = ports == .any
        }

        private let isAny: Bool

        mutating func bind(
            _ host: String, _ group: EventLoopGroup, _ opened: inout [Listener]
        ) throws(DeckError) -> Listener {
            if isAny { return try DeckDoors.bind(ListenAddress(host: host, port: 0), group, &opened) }
            while !left.isEmpty {
                let port = left.removeFirst()
                guard let listener = try? Listener.bind(ListenAddress(host: host, port: port), group: group) else {
                    continue
                }
                opened.append(listener)
                return listener
            }
            throw DeckError(
                .start, "No port of --upstream-ports is free for another upstream.", advice: "give a wider range")
        }
    }

    /// Closes kept connections that wait for a request.
    func closeIdle() { for listener in forClients { listener.closeIdle() } }

    /// Stops accepting, and waits for exchanges under way.
    func close(within time: Duration) async {
        for listener in forClients { listener.stop() }
        await withTaskGroup(of: Void.self) { group in
            for listener in forClients { group.addTask { await listener.drain(timeout: time) } }
        }
    }

    /// The names that a control listener answers to.
    static func controlNames(_ address: ListenAddress?, port: Int) -> Set<String> {
        Set(["localhost", "127.0.0.1", "[::1]", address?.host.lowercased() ?? "localhost"].map { "\($0):\(port)" })
    }
}
