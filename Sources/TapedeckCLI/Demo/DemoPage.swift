import CassetteKit
import HTTPCore
import TapedeckClient

/// What the demo shows, in 80 columns, line by line as things happen.
struct DemoPage: Sendable {
    private let console: Console
    private var color: Bool { console.outHasColor }

    init(console: Console) {
        self.console = console
    }

    /// Begins a chapter.
    func chapter(_ number: Int, _ title: String, _ rest: String) {
        console.out("")
        console.out(Style.strong.applied(to: "\(number). \(title)", color: color) + ": \(rest)")
        console.out("")
    }

    /// A step that went well.
    ///
    /// - Parameter remark: what is said of its answer, up to 10 columns.
    func step(_ visit: DemoFlow.Visit, _ remark: String) {
        let place = fitted(visit.step.method, 5) + visit.step.target
        let status = Style.good.applied(to: String(visit.response.head.status), color: color)
        let time = Style.faint.applied(to: padded(milliseconds(visit.elapsed), 8), color: color)
        let title = fitted(visit.step.title, 16)
        console.out("  " + title + fitted(place, 38) + status + "  " + fitted(remark, 11) + time)
    }

    /// What a variant did to a request.
    func effect(_ variant: String, _ seen: String, _ elapsed: Duration) {
        let time = Style.faint.applied(to: padded(milliseconds(elapsed), 8), color: color)
        let name = Style.name.applied(to: fitted(variant, 16), color: color)
        console.out("  " + name + fitted(seen, 54) + time)
    }

    /// What stands in the cassette in place of secrets: the rule, the place, how often.
    func hidden(_ counts: [HiddenCount]) {
        for hidden in counts {
            let count = Style.faint.applied(to: padded("\(hidden.count) ×", 8), color: color)
            console.out("    " + fitted(hidden.rule, 21) + fitted("\(hidden.location)", 47) + count)
        }
    }

    func line(_ text: String) {
        console.out("  " + text)
    }

    func blank() {
        console.out("")
    }

    /// The closing table, one row a chapter.
    func summary(_ rows: [(chapter: String, held: String)]) {
        console.out("")
        for row in rows {
            let mark = Style.good.applied(to: "ok", color: color)
            console.out("  " + fitted(row.chapter, 16) + fitted(row.held, 60) + mark)
        }
    }

    /// What did not hold.
    func failure(_ failure: DemoFailure) {
        let word = Style.bad.applied(to: "failed", color: color)
        console.out("")
        console.out("  " + fitted(failure.step, 16) + word + ": " + failure.message)
    }

    /// Body and size in a few words, as `json 188 B`.
    static func summary(of response: WireResponse) -> String {
        let type = response.head.fields.first("Content-Type").flatMap(MediaType.parse)
        let coding = response.head.fields.text("Content-Encoding")
        let kind = coding ?? type.map { $0.isJSON ? "json" : $0.subtype } ?? "octets"
        return kind + " " + readableSize(response.body.count)
    }

    private func milliseconds(_ duration: Duration) -> String {
        let parts = duration.components
        return "\(parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000) ms"
    }

    private func fitted(_ text: String, _ width: Int) -> String {
        let shown = text.count < width ? text : String(text.prefix(width - 2)) + "…"
        return shown + String(repeating: " ", count: width - shown.count)
    }

    private func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
