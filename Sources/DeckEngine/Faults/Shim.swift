import DeckRules
import HTTPCore

extension FaultKind {
    /// What stands for a fault that no server can cause, under `"shim": true`: status 599 with the `URLError` code for a
    /// protocol class inside the app's debug build, which fails the task with it; nil for faults that the wire can show.
    var shim: Answer? {
        guard let code = details.urlErrorCode else { return nil }
        var fields = Fields()
        fields.append("Tapedeck-URLError", String(code))
        fields.append("Cache-Control", "no-store")
        fields.append("Connection", "close")
        return Answer(
            head: ResponseHead(
                version: .http11, status: 599, reason: Bytes("Shim \(rawValue)".utf8), fields: fields), body: [])
    }
}
