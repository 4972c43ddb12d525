import CassetteKit
import SystemIO

/// Finds a session's cassette below the given folder, and nowhere else.
enum CassettePath {
    /// - Parameters:
    ///   - name: relative, with `/` between folders.
    ///   - root: the folder that the deck was started with.
    /// - Throws: `Refusal` for a name that is empty, absolute, has `..`, or leads out of the folder by a link.
    static func below(_ root: String, _ name: String) throws(Refusal) -> String {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.hasPrefix("/"), !name.utf8.contains(0),
            parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." })
        else {
            throw Refusal(
                400, "cassette-path", "The cassette \"\(name)\" is no path below the deck's folder.",
                "Name it relative to that folder, without . and .. parts.")
        }
        let folder = CassetteFolder(root).path
        let realRoot = (try? Files.realPath(folder)) ?? folder
        var path = folder
        for part in parts {
            path += "/\(part)"
            guard Files.exists(path) else { continue }
            let real = try? Files.realPath(path)
            guard let real, real.hasPrefix(realRoot == "/" ? "/" : realRoot + "/") else {
                throw Refusal(
                    400, "cassette-path", "The cassette \"\(name)\" leads out of the deck's folder by a link.",
                    "Put the cassette itself below the folder.")
            }
        }
        return path
    }
}
