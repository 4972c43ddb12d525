/// Why a cassette can't be recorded to.
package enum RecorderError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Another process records to it.
    case locked(folder: String, pid: Int?)
    /// A file or folder can't be read or written; the message names it.
    case system(String)
    /// The recording is over.
    case finished

    package var description: String {
        switch self {
        case .locked(let folder, let pid?):
            "\(folder) is being recorded by process \(pid). Wait for it, or stop it, or record to another folder"
        case .locked(let folder, nil):
            "\(folder) is being recorded by another process. Wait for it, or record to another folder"
        case .system(let message): message
        case .finished: "The recording is over"
        }
    }
}
