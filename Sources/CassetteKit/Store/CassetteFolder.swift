import SystemIO

/// The paths of a cassette's files.
package struct CassetteFolder: Sendable, Equatable {
    package let path: String

    package init(_ path: String) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
    }

    package var manifest: String { "\(path)/\(ManifestFormat.fileName)" }
    package var interactions: String { "\(path)/interactions" }
    package var timings: String { "\(path)/\(TimingsFormat.fileName)" }
    package var lock: String { "\(path)/.lock" }

    package func interaction(_ name: String) -> String { "\(interactions)/\(name)" }

    /// Whether there is a cassette here.
    package var isCassette: Bool { Files.exists(manifest) }

    /// The names of the cassettes directly below, if this is a folder of cassettes.
    package var cassettesBelow: [String] {
        let names = (try? Files.list(path)) ?? []
        return names.filter { Files.exists("\(path)/\($0)/\(ManifestFormat.fileName)") }
    }

    /// What git is to know: no conversion of line ends, measured times and the lock stay out.
    static let attributes = "* -text\n"
    static let ignored = "timings.json\n.lock\n.tmp-*\n"
}
