import CassetteKit
import HTTPCore
import SystemIO

/// A recorded answer whose body lies beside and is sent from there a piece at a time, so that memory does not grow with it.
struct BesideAnswer: Sendable {
    /// Smaller bodies are read whole, and kept for the next request.
    static let smallest = 1 << 20
    /// Octets that are read at once.
    static let piece = 256 << 10

    let head: ResponseHead
    let framing: BodyFraming
    let trailers: Fields
    let informational: [ResponseHead]
    let file: BodyFile
    /// Octets in the file.
    let size: Int
    /// The coding that the body is sent with; nil for none.
    let coding: String?

    /// Nil where the body does not lie beside, or is small.
    ///
    /// Blocks; the first time for a body that is sent with a coding and a length as long as it takes to code it.
    ///
    /// - Throws: `FormatError` if the file can't be read or its coding is not known.
    init?(
        _ interaction: Interaction, method: String, codings: PreparedCodings, codecs: ContentCodecs,
        lengths: CodedLengths
    ) throws(FormatError) {
        guard let response = interaction.response, PreparedResponse.hasBody(response, method: method),
            case .file(let file)? = response.body?.content, let size = try? Files.size(file.path), size >= Self.smallest
        else { return nil }
        let codings = codings.orAny(for: interaction)
        coding = PreparedResponse.coding(of: response, codings)
        var length = size
        if let coding, response.framing == .length {
            length = try lengths.length(of: file, coding) { () throws(FormatError) in
                try Self.codedLength(file, coding, codecs)
            }
        }
        let prepared = PreparedResponse(response, coding: coding, length: length)
        head = prepared.head
        framing = prepared.framing
        trailers = prepared.trailers
        informational = prepared.informational
        self.file = file
        self.size = size
    }

    /// Opens the body.
    func open(_ codecs: ContentCodecs) throws(FormatError) -> BodyPieces { try BodyPieces(file, coding, codecs) }

    private static func codedLength(
        _ file: BodyFile, _ coding: String, _ codecs: ContentCodecs
    ) throws(FormatError) -> Int {
        let pieces = try BodyPieces(file, coding, codecs)
        var length = 0
        while let piece = try pieces.next() { length += piece.octets.count }
        return length
    }
}

/// How long bodies are in a coding, once that is known; any thread, under the lock.
final class CodedLengths: Sendable {
    private let lengths = Locked<[String: Int]>([:])

    func length(
        of file: BodyFile, _ coding: String, measure: () throws(FormatError) -> Int
    ) throws(FormatError) -> Int {
        let key = "\(coding) \(file.name)"
        if let known = lengths.withLock({ $0[key] }) { return known }
        let length = try measure()
        lengths.withLock { $0[key] = length }
        return length
    }
}

/// An open body, read in order; one thread at a time, under the lock.
final class BodyPieces: Sendable {
    private struct State: ~Copyable {
        let descriptor: Descriptor
        var read = 0
        var isOver = false
    }

    /// Octets to send, and how many of the file they and those before them stand for.
    struct Piece: Sendable {
        var octets: Bytes
        var read: Int
    }

    private let state: Locked<State>
    private let path: String
    private let encoder: ContentCodecs.Encoder?

    init(_ file: BodyFile, _ coding: String?, _ codecs: ContentCodecs) throws(FormatError) {
        path = file.path
        encoder = coding.flatMap { codecs.encoder($0) }
        if let coding, encoder == nil { throw PreparedResponse.unknown(coding) }
        do throws(SystemError) {
            state = Locked(State(descriptor: try Descriptor.openForReading(file.path)))
        } catch {
            throw Self.unread(file.path, error)
        }
    }

    /// The next octets, which may be none; nil at the end. Blocks.
    func next() throws(FormatError) -> Piece? {
        let result: Result<Piece?, FormatError> = state.withLock { state in
            if state.isOver { return .success(nil) }
            do throws(SystemError) {
                let octets = try state.descriptor.readPiece(upTo: BesideAnswer.piece)
                state.isOver = octets.isEmpty
                state.read += octets.count
                guard let encoder else {
                    return .success(octets.isEmpty ? nil : Piece(octets: octets, read: state.read))
                }
                guard let coded = encoder(octets, octets.isEmpty) else {
                    return .failure(FormatError(file: path, message: "the body can't be coded"))
                }
                return .success(Piece(octets: coded, read: state.read))
            } catch {
                return .failure(Self.unread(path, error))
            }
        }
        return try result.get()
    }

    private static func unread(_ path: String, _ error: SystemError) -> FormatError {
        FormatError(
            file: path, message: "the body can't be read: \(error.reason)",
            advice: "Restore the file from version control or record the interaction again")
    }
}
