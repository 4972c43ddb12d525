/// How the program ends.
package enum ExitStatus {
    /// All is well.
    package static let fine: Int32 = 0
    /// A check failed: a strict run, a step of the demo.
    package static let failed: Int32 = 1
    /// A command line or a configuration that cannot be followed.
    package static let usage: Int32 = 2
    /// It could not start: port, disk, cassette.
    package static let start: Int32 = 3
    /// A command after `--` that cannot be executed, and one that is not there, as shells have it.
    package static let notExecutable: Int32 = 126
    package static let notFound: Int32 = 127

    /// The status of a process that a signal ended, as shells have it.
    package static func signal(_ number: Int32) -> Int32 {
        128 + number
    }
}
