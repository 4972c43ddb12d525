import CassetteKit
import DeckEngine
import HTTPCore
import SystemIO

/// The form of log lines.
enum LogForm: String, Sendable, CaseIterable {
    case text, json
}

/// Writes the deck's log events to the console, as text for people or a JSON object a line for machines.
struct LogWriter: Sendable {
    private let console: Console
    private let form: LogForm
    private let quiet: Bool
    private let clock: WallClock

    /// - Parameter quiet: whether only warnings and errors are written.
    init(console: Console, form: LogForm, quiet: Bool, clock: WallClock) {
        self.console = console
        self.form = form
        self.quiet = quiet
        self.clock = clock
    }

    func write(_ event: LogEvent) {
        if quiet, event.level == .info {
            return
        }
        let now = Timestamp(milliseconds: clock.now())
        console.note(form == .json ? machineLine(event, now) : humanLine(event, now))
    }

    private func humanLine(_ event: LogEvent, _ now: Timestamp) -> String {
        let color = console.errorHasColor
        let time = Style.faint.applied(to: String(now.time.prefix(8)), color: color)
        let message: String
        switch event.level {
        case .info: message = event.message
        case .warning: message = Style.warning.applied(to: "warning:", color: color) + " " + event.message
        case .error: message = Style.bad.applied(to: "error:", color: color) + " " + event.message
        }
        let facts = event.fields.map { " \($0.name)=\(quoted($0.value))" }.joined()
        return "\(time) \(message)" + Style.faint.applied(to: facts, color: color)
    }

    private func machineLine(_ event: LogEvent, _ now: Timestamp) -> String {
        var members = [
            JSONMember("time", .text(now.full)), JSONMember("level", .text(event.level.rawValue)),
            JSONMember("message", .text(event.message)),
        ]
        members += event.fields.map { JSONMember($0.name, .text($0.value)) }
        return String(decoding: JSONText.write(.object(members), layout: .compact), as: UTF8.self)
    }

    /// A value as it is, or as a JSON string where its ends could not be told.
    private func quoted(_ value: String) -> String {
        let isPlain = !value.isEmpty && value.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "\"" && $0 != "\\" }
        return isPlain ? value : "\"\(JSONString(value).raw)\""
    }
}
