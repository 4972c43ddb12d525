import SystemIO

/// Compares text with a file that people have reviewed.
///
/// With `TAPEDECK_UPDATE_GOLDEN=1` a file that differs is rewritten, and the test fails all the same: the new file is
/// to be read before it is committed.
package enum Golden {
    /// Where and how text departs from its golden file.
    package struct Difference: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Parameters:
    ///   - file: the name in the folder `Golden` beside the test.
    ///   - test: the test's own source file.
    ///   - updating: whether to rewrite a file that differs.
    /// - Throws: `Difference`, or `SystemError` for a file that cannot be written.
    package static func check(_ text: String, is file: String, beside test: String, updating: Bool) throws {
        let folder = (Files.parent(of: test) ?? ".") + "/Golden"
        let path = folder + "/" + file
        let expected = (try? Files.read(path)).map { String(decoding: $0, as: UTF8.self) }
        if expected == text {
            return
        }
        if updating {
            try Files.makeDirectories(folder)
            try Files.writeAtomically(Array(text.utf8), to: path)
            throw Difference(description: "\(file) was rewritten: read it, then run the tests again")
        }
        guard let expected else {
            throw Difference(description: "\(path) is missing; TAPEDECK_UPDATE_GOLDEN=1 writes it")
        }
        throw Difference(description: "\(file): " + firstDifference(expected, text))
    }

    private static func firstDifference(_ expected: String, _ actual: String) -> String {
        let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
        let new = actual.split(separator: "\n", omittingEmptySubsequences: false)
        let shorter = min(old.count, new.count)
        let line = (0..<shorter).first { old[$0] != new[$0] } ?? shorter
        let was = line < old.count ? "\"\(old[line])\"" : "nothing"
        let now = line < new.count ? "\"\(new[line])\"" : "nothing"
        return "line \(line + 1) was \(was) and is now \(now); TAPEDECK_UPDATE_GOLDEN=1 rewrites the file"
    }
}
