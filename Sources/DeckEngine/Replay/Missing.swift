import CassetteKit
import DeckRules
import HTTPCore
import SystemIO
import Transport

extension DeckCore {
    /// The answer to a request that the cassette does not have: what is near, what differs, what to type. The search runs
    /// off the loop.
    func missed(_ request: RawRequest, _ playedTimes: Int?, _ fields: Fields) async -> Answer {
        let (interactions, keys) = (index.interactions, keys)
        let (cassette, status) = (options.cassette, options.missStatus)
        let limits = NearestLimits(now: environment.loopClock.now)
        let report = try? await queue.run {
            var report = MissReport(
                keys.shaped(request), interactions: keys.shaped(interactions), matcher: keys.matcher(of: request),
                cassette: cassette, status: status, limits: limits)
            report.route = keys.route(of: request).map { ($0.name, keys.common.rules) }
            return report
        }
        guard var report else {
            return Answer(Problem(status: status, label: "miss", detail: "The cassette has no answer to this request."))
        }
        if let playedTimes {
            report.playedTimes = playedTimes
            report.playbackRoute = keys.route(of: request).flatMap { $0.playback == nil ? nil : $0.name }
        }
        environment.log(LogEvent(.warning, report.logLine, [("status", String(status))]))
        let answer = report.response(accept: fields.all("Accept"))
        return Answer(head: answer.head, body: answer.body)
    }
}
