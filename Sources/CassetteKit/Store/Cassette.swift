import SystemIO

/// A directory of interactions, read whole.
package struct Cassette: Sendable {
    package var folder: CassetteFolder
    package var manifest: CassetteManifest
    /// By ordinal, then by the octets of the name: equal requests stand in the order in which they are to be answered.
    package var interactions: [Interaction]
    /// Names of files among the interactions that none of them needs; never read.
    package var orphans: [String]

    package init(
        folder: CassetteFolder, manifest: CassetteManifest, interactions: [Interaction] = [], orphans: [String] = []
    ) {
        self.folder = folder
        self.manifest = manifest
        self.interactions = interactions
        self.orphans = orphans
    }

    /// Reads a cassette: every interaction, on as many threads as there are cores; bodies beside are only looked for.
    ///
    /// Blocks. Nothing is skipped.
    ///
    /// - Throws: `FormatError` for the first defective file in the order of names.
    package static func load(folder path: String) throws(FormatError) -> Cassette {
        try CassetteLoader(folder: CassetteFolder(path)).load()
    }

    /// What `cassette.json` of a folder says; nil if there is no cassette.
    package static func manifest(folder path: String) throws(FormatError) -> CassetteManifest? {
        let folder = CassetteFolder(path)
        guard folder.isCassette else { return nil }
        return try ManifestFormat.read(try readFile(folder.manifest), path: folder.manifest)
    }

    /// The measured times by interaction name; empty where there are none.
    ///
    /// - Throws: `FormatError` if the file is there and defective.
    package func timings() throws(FormatError) -> [String: Timings] {
        guard Files.exists(folder.timings) else { return [:] }
        return try TimingsFormat.read(try readFile(folder.timings), path: folder.timings)
    }
}
