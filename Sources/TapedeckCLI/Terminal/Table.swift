/// Text in columns for people: cells padded to the widest of their column, two spaces between.
package struct Table: Sendable {
    /// On which side a column is filled up.
    package enum Alignment: Sendable {
        case left, right
    }

    private let heads: [String]
    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// - Parameter columns: the head of each column, and where its cells stand.
    package init(_ columns: [(head: String, alignment: Alignment)]) {
        heads = columns.map(\.head)
        alignments = columns.map(\.alignment)
    }

    /// Adds a row; missing cells are empty.
    package mutating func add(_ cells: [String]) {
        rows.append((0..<heads.count).map { $0 < cells.count ? cells[$0] : "" })
    }

    /// The lines, heads first, without trailing spaces.
    package func lines(color: Bool = false) -> [String] {
        let widths = heads.indices.map { column in
            ([heads] + rows).map { $0[column].count }.max() ?? 0
        }
        let body = rows.map { line($0, widths) }
        return heads.allSatisfy(\.isEmpty) ? body : [Style.faint.applied(to: line(heads, widths), color: color)] + body
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = cells.indices.map { column in
            let fill = String(repeating: " ", count: widths[column] - cells[column].count)
            return alignments[column] == .left ? cells[column] + fill : fill + cells[column]
        }
        let joined = padded.joined(separator: "  ")
        return String(joined[..<(joined.lastIndex { $0 != " " }.map(joined.index(after:)) ?? joined.startIndex)])
    }
}
