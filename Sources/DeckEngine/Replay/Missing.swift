import CassetteKit
import HTTPCore
import SystemIO

extension DeckCore {
    /// The answer to a request that the cassette does not have: what is near, what differs, what to type. The search runs
    /// off the loop.
    func missed(_ request: RawRequest, _ playedTimes: Int?, _ fields: Fields) async -> Answer {
        let (interactions, matcher) = (index.interactions, keys.matcher(of: request))
        let (cassette, status) = (options.cassette, options.missStatus)
        let report = try? await queue.run {
            MissReport(request, interactions: interactions, matcher: matcher, cassette: cassette, status: status)
        }
        guard var report else {
            return Answer(Problem(status: status, label: "miss", detail: "The cassette has no answer to this request."))
        }
        if let playedTimes { report.playedTimes = playedTimes }
        environment.log(LogEvent(.warning, report.logLine, [("status", String(status))]))
        let answer = report.response(accept: fields.all("Accept"))
        return Answer(head: answer.head, body: answer.body)
    }
}
