import Synchronization
package import SystemIO

/// A folder of its own for one test, removed with everything in it when the value goes away.
package final class TemporaryDirectory: Sendable {
    package let path: String

    /// Makes the folder below the system's place for temporary files.
    package init(_ label: String = "test") throws(SystemError) {
        let number = directoryCounter.add(1, ordering: .relaxed).newValue
        let random = UInt32.random(in: .min ... .max)
        let base = try Files.realPath("/tmp")
        path = "\(base)/tapedeck-\(label)-\(String(random, radix: 16))-\(number)"
        try Files.makeDirectories(path)
    }

    deinit { try? Files.removeTree(path) }

    /// The path of a file in the folder.
    package func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// Numbers the folders of this process.
private let directoryCounter = Atomic<UInt64>(0)
