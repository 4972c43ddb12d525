import CassetteKit
import ControlAPI
import DeckRules
import HTTPCore
import SystemIO
import Transport

/// A running deck: listeners, loops, the cassette, and the run's account.
package final class Deck: Sendable {
    /// How long a stop waits for exchanges under way.
    static let drainTime = Duration.seconds(5)

    /// The base URL for clients, as `http://localhost:4750`.
    package let proxyURL: String
    /// The control API's base URL; nil if it is off.
    package let controlURL: String?

    /// The base URL of each upstream with a name: its own port, else its prefix on the deck's.
    package let upstreamURLs: [(name: String, url: String)]

    let core: DeckCore
    /// Exchanges of the default session that have begun and not ended.
    package var exchangesUnderWay: Int { core.session.underWay }
    private let group: EventLoopGroup
    private let doors: DeckDoors
    private let steering: Steering
    let sessions: Sessions
    private let sweeper = Locked<Task<Void, Never>?>(nil)
    private let fsync: FsyncGroup?
    private let stopping = Locked(false)
    /// Comes when nothing of the deck runs any more.
    private let ended = Promise<RunReport>()

    init(
        core: DeckCore, group: EventLoopGroup, doors: DeckDoors, steering: Steering, fsync: FsyncGroup?
    ) {
        self.core = core
        self.group = group
        self.doors = doors
        self.steering = steering
        self.fsync = fsync
        let listen = core.options.listen
        proxyURL = listen.url(port: doors.proxy.port)
        sessions = Sessions(base: core, group: group, fsync: fsync, proxyURL: proxyURL)
        controlURL = doors.control.flatMap { listener in core.options.control?.url(port: listener.port) }
        let (named, base) = (core.cassette.named, proxyURL)
        upstreamURLs = named.keys.sorted().map { name in
            (name, doors.upstreamPorts[name].map { listen.url(port: $0) } ?? "\(base)/_up/\(name)")
        }
    }

    /// Reads the cassette, opens the listeners, and takes requests when it returns.
    ///
    /// - Throws: `DeckError` of kind `usage` for what the user has to mend in words, configuration or cassette, and of kind
    ///   `start` for a port, a disk or a lock.
    package static func start(_ options: DeckOptions, environment: DeckEnvironment) async throws(DeckError) -> Deck {
        try await DeckBuilder(options, environment).build()
    }

    /// Opens the doors; `DeckBuilder` calls it last.
    func open() {
        core.join(sessions)
        if let expiry = core.expiry { core.log(.warning, expiry) }
        steering.begin(core, sessions, proxyURL: proxyURL) { [weak self] in _ = await self?.stop() }
        doors.control?.start(limits: ServerLimits(), hooks: ServerHooks()) { [core] http in
            await core.answerControl(http, target: http.head.target)
        }
        let limits = core.options.configuration.limits
        doors.proxy.start(limits: limits, hooks: core.clientHooks) { [sessions] http in
            await sessions.serve(http, own: nil)
        }
        for (name, listener) in doors.upstreams {
            listener.start(limits: limits, hooks: core.clientHooks) { [sessions] http in
                await sessions.serve(http, own: nil, upstream: name)
            }
        }
        startSweeping()
    }

    private func startSweeping() {
        let loop = group.loops[0]
        sweeper.withLock { task in
            task = loop.spawn { [sessions] in
                while true {
                    do { try await loop.sleep(for: .seconds(10)) } catch { return }
                    await sessions.sweep()
                }
            }
        }
    }

    /// Returns when somebody asked the control API to stop the deck.
    package func waitForStopRequest() async { await steering.stopRequest.value }

    /// Stops accepting, waits for exchanges under way, writes what is to be written, and gives the account once
    /// the control API has answered whoever asked. A second call gives the same account, no sooner.
    package func stop() async -> RunReport {
        let isFirst = stopping.withLock { isStopping in
            defer { isStopping = true }
            return !isStopping
        }
        guard isFirst else { return await ended.value }
        await doors.close(within: Self.drainTime)
        sweeper.withLock { $0?.cancel() }
        await sessions.closeAll()
        await core.finishStoring()
        let report = await account()
        steering.report.fulfil(report)
        core.events.finish()
        doors.control?.stop()
        await doors.control?.drain(timeout: .seconds(1))
        await core.upstreamClients?.end(on: group) { $0.shutdown() }
        group.shutdown()
        core.queue.shutdown()
        ended.fulfil(report)
        return report
    }

    /// Writes what is left to be written, and says what the run came to.
    private func account() async -> RunReport {
        var report = sessions.total()
        do {
            report.record = try core.recorder?.finish()
            report.idleRules = core.idleRules(report.record)
            try await fsync?.flush()
        } catch {
            report.failures.append("the recording could not be finished: \(error)")
        }
        if let count = report.notStored[DeckCore.unwritten] {
            report.failures.append("\(count) of the exchanges could not be written: see the errors above")
        }
        do throws(SystemError) {
            let dropped = try core.faultLog?.write() ?? 0
            if dropped > 0 { core.log(.warning, "the fault log is full: \(dropped) exchanges are not in it") }
        } catch {
            report.failures.append("the fault log could not be written: \(error.message)")
        }
        return report
    }

    /// Takes a new configuration for new exchanges; sessions keep their cursors. What can't change while running (upstream,
    /// sanitizing, match rules) needs a restart.
    ///
    /// - Returns: a sentence for each choice that is gone with it, and for what needs a restart.
    package func reload(_ configuration: Configuration) throws(DeckError) -> [String] { try core.adopt(configuration) }

    /// The configuration's file and the body files that were read with it; a change of them asks for a reload.
    package var configurationFiles: [String] { core.configurationFiles }

    /// Reads the configuration's file again and takes it, as `POST /reload` does; the log says what came of it.
    ///
    /// - Returns: whether it acts now.
    package func reload() async -> Bool {
        do throws(ReloadFailure) {
            _ = try await core.reload()
            return true
        } catch {
            return false
        }
    }
}

extension ListenAddress {
    /// The base URL of this address with the port that was bound.
    func url(port: Int) -> String {
        "http://\(host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host):\(port)"
    }
}
