import ControlAPI
import HTTPCore
import SystemIO

extension DeckCore {
    /// What is said of a cassette that is older than the configuration's `expiresIn`; nil for one that is not.
    var expiry: String? {
        guard let days = options.configuration.expiresIn, let checked = cassette.checked, options.mode == .replay,
            checked < Timestamp(milliseconds: environment.wallClock.now() - Int64(days) * 86_400_000).date
        else { return nil }
        return
            "the cassette \(cassette.folder ?? "") was last checked on \(checked), more than \(days) days ago: record it again"
    }
}

extension RunReport {
    /// The figures that the control API gives.
    var counts: Health.Counts { Health.Counts(requests: requests, hits: hits, misses: misses, faults: faults) }
}
