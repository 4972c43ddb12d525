import HTTPCore

/// `timings.json`: measured times by the interaction's file name, as flat lists of microseconds and octets:
/// `[first byte, offset of a piece, its size, …]`.
enum TimingsFormat {
    static let fileName = "timings.json"

    static func write(_ timings: [String: Timings]) -> Bytes {
        let names = timings.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let members = names.compactMap { name in
            timings[name].map { timings in
                JSONMember(name, .array(numbers(timings).map { .integer($0) }))
            }
        }
        return JSONReviewWriter.write(.object(members))
    }

    static func read(_ octets: Bytes, path: String) throws(FormatError) -> [String: Timings] {
        var result: [String: Timings] = [:]
        do throws(FormatError) {
            let document = try JSONText.parse(octets)
            for member in document.members ?? [] {
                result[member.key.text] = try timings(member.value)
            }
        } catch {
            var error = error
            error.file = path
            error.advice = "Delete the file: it holds measured times only, and the next recording writes it anew"
            throw error
        }
        return result
    }

    private static func numbers(_ timings: Timings) -> [Int] {
        [timings.firstByte] + timings.pieces.flatMap { [$0.offset, $0.size] }
    }

    private static func timings(_ value: JSONValue) throws(FormatError) -> Timings {
        let numbers = (value.elements ?? []).compactMap(\.integer)
        guard let first = numbers.first, numbers.count % 2 == 1, numbers.allSatisfy({ $0 >= 0 }) else {
            throw FormatError(message: "an entry is no list of times and sizes")
        }
        let pieces = stride(from: 1, to: numbers.count, by: 2).map {
            Timings.Piece(offset: numbers[$0], size: numbers[$0 + 1])
        }
        return Timings(firstByte: first, pieces: pieces)
    }
}
