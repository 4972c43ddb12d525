package import CassetteKit
import Codecs
import Synchronization

/// The codings of cassettes, by the libraries.
///
/// A body that would decode to more than their limits stays as it came: it is stored and compared undecoded, and reported.
package enum CassetteCodecs {
    /// So many bodies are reported; one that is looked at again counts again.
    private static let mostReports = 20

    package static func make(log: @escaping @Sendable (LogEvent) -> Void) -> ContentCodecs {
        let reports = Reports()
        return ContentCodecs(
            decode: { name, octets in
                guard let coding = ContentCoding(token: name) else { return nil }
                do throws(CodecError) {
                    return try decodeContent(octets, coding)
                } catch {
                    if error.isLimit, reports.count() <= mostReports {
                        log(
                            LogEvent(
                                .warning,
                                "a \(name) body of \(octets.count) octets is kept undecoded: \(error.description)"))
                    }
                    return nil
                }
            },
            encode: { name, octets in ContentCoding(token: name).flatMap { try? encodeContent(octets, $0) } },
            salvage: { name, octets in
                ContentCoding(token: name).flatMap { salvageContent(octets, $0) }.map { ($0.octets, $0.isWhole) }
            },
            encoder: { name in
                guard let coding = ContentCoding(token: name), let encoder = try? ContentEncoder.make(coding) else {
                    return nil
                }
                return { piece, isLast in try? encoder(piece, isLast) }
            })
    }

    private final class Reports: Sendable {
        private let number = Atomic(0)

        /// Counts one more and gives their number.
        func count() -> Int { number.add(1, ordering: .relaxed).newValue }
    }
}

extension CodecError {
    /// Whether the octets may be a well-formed stream of more than is taken.
    fileprivate var isLimit: Bool {
        switch self {
        case .tooLarge, .ratio: true
        case .malformed, .trailing, .truncated, .unavailable: false
        }
    }
}
