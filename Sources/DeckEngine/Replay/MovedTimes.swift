import CassetteKit
import DeckRules
import HTTPCore
import SystemIO

extension LoadedCassette {
    /// When the first of the recorded answers came, by its `Date`, in seconds since 1970 began; nil where none tells.
    var recordedFrom: Int64? {
        index.interactions.compactMap { interaction in
            guard case .response(let response) = interaction.outcome else { return nil }
            return response.fields.text("Date").flatMap { HTTPDate($0)?.seconds }
        }.min()
    }
}

extension DeckCore {
    /// By how much the times of a session's recorded answers move; it begins now.
    static func shift(
        _ options: DeckOptions, _ cassette: LoadedCassette, _ environment: DeckEnvironment
    ) -> ClockShift? {
        let choice = options.clock ?? options.configuration.clock
        guard choice != .recorded, !cassette.index.isEmpty else { return nil }
        guard let recorded = cassette.recordedFrom else {
            environment.log(
                LogEvent(
                    .warning, "no recorded answer has a Date, so the clock has nothing to begin from: no time moves"))
            return nil
        }
        return choice.shift(recorded: recorded, now: environment.wallClock.now() / 1_000)
    }

    /// Whether the clock moves times in the bodies of a route's answers.
    func movesBodies(of decision: Decision) -> Bool {
        clockShift != nil && !(clockPointers.isEmpty && decision.settings?.clockPointers.isEmpty ?? true)
    }

    /// A recorded answer with its times moved as the session's clock says: those in its fields, and those in its JSON body at
    /// the places that the configuration names, for all or for the route.
    ///
    /// - Parameter name: says in the log whose answer it is.
    func moved(_ answer: Answer, _ shift: ClockShift, _ decision: Decision, of name: String) -> Answer {
        var answer = answer
        shift.apply(to: &answer.head.fields)
        let pointers = clockPointers + (decision.settings?.clockPointers ?? [])
        guard !pointers.isEmpty, !answer.body.isEmpty else { return answer }
        return withBody(of: answer) { value in
            let idle = shift.apply(to: &value, at: pointers)
            if idle.count == pointers.count { log(.info, "\(name): no time stands where the clock is to move one") }
        } ?? answer
    }
}
