import CassetteKit
import SystemIO

/// The file that tells scripts where a deck listens: it is there only while the deck takes requests.
package struct ReadyFile: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// Removes what an earlier run may have left.
    package func remove() {
        try? Files.remove(path)
    }

    /// Writes the addresses in one step: who sees the file sees it whole.
    ///
    /// - Throws: `CommandError` with status 3 if the file cannot be written.
    ///
    /// - Parameter upstreams: the base URLs of upstreams with names.
    package func write(
        proxy: String, control: String?, pid: Int32, upstreams: [(name: String, url: String)] = []
    ) throws(CommandError) {
        var members = [JSONMember("proxy", .text(proxy))]
        if let control {
            members.append(JSONMember("control", .text(control)))
        }
        members.append(JSONMember("pid", .integer(Int(pid))))
        if !upstreams.isEmpty {
            let urls = upstreams.map { JSONMember($0.name, .text($0.url)) }
            members.append(JSONMember("upstreams", .object(urls)))
        }
        let text = JSONText.write(.object(members), layout: JSONLayout(.spaced, lf: true))
        do throws(SystemError) {
            try Files.writeAtomically(text, to: path)
        } catch {
            throw CommandError(
                status: ExitStatus.start, "the ready file was not written: \(error.message)",
                advice: "give --ready-file a path in a folder that is there and can be written")
        }
    }
}
