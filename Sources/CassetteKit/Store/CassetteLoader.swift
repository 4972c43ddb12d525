import Dispatch
import HTTPCore
import SystemIO

/// Reads a whole file of a cassette. A link could lead anywhere, and a pipe or device has no end.
func readFile(_ path: String) throws(FormatError) -> Bytes {
    let octets: Bytes?
    do throws(SystemError) {
        octets = try Files.readPlain(path)
    } catch {
        throw FormatError(file: path, message: "the file can't be read: \(error.reason)")
    }
    guard let octets else { throw notPlain(path) }
    return octets
}

/// What is said of a link, pipe, device or folder in a file's place.
private func notPlain(_ path: String) -> FormatError {
    FormatError(
        file: path, message: "it is no plain file",
        advice: "Put the file itself in the place of a link, or remove what stands there")
}

/// Reads the files of a cassette and puts them together.
struct CassetteLoader {
    /// How many files one piece of work reads: enough that handing out work costs nothing beside it.
    private static let batch = 64

    let folder: CassetteFolder

    func load() throws(FormatError) -> Cassette {
        let manifest = try manifest()
        let names = try interactionNames()
        let files = names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
        var interactions = try read(files)
        let orphans = try checkBodies(of: interactions, names: names)
        // The sort is stable, and the names came in the order of their octets.
        interactions.sort { $0.ordinal < $1.ordinal }
        return Cassette(folder: folder, manifest: manifest, interactions: interactions, orphans: orphans)
    }

    private func manifest() throws(FormatError) -> CassetteManifest {
        guard folder.isCassette else {
            let below = folder.cassettesBelow
            let isThere = Files.isDirectory(folder.path)
            let message = isThere ? "no cassette: \(ManifestFormat.fileName) is missing" : "there is no such folder"
            let advice =
                below.isEmpty
                ? "Name the folder of a cassette, or record one"
                : "Name one of those below: \(below.joined(separator: ", "))"
            throw FormatError(file: folder.path, message: message, advice: advice)
        }
        return try ManifestFormat.read(try readFile(folder.manifest), path: folder.manifest)
    }

    /// The names among the interactions, sorted; none where nothing has been recorded yet.
    private func interactionNames() throws(FormatError) -> [String] {
        guard Files.exists(folder.interactions) else { return [] }
        do throws(SystemError) {
            return try Files.list(folder.interactions)
        } catch {
            throw FormatError(file: folder.interactions, message: "the folder can't be read: \(error.reason)")
        }
    }

    /// Reads interactions in parallel.
    private func read(_ names: [String]) throws(FormatError) -> [Interaction] {
        let path = folder.interactions
        let batches = (names.count + Self.batch - 1) / Self.batch
        let results = Locked<[Int: Result<[Interaction], FormatError>]>([:])
        DispatchQueue.concurrentPerform(iterations: batches) { index in
            let part = names[index * Self.batch..<min(names.count, (index + 1) * Self.batch)]
            let result = Self.read(part, in: path)
            results.withLock { $0[index] = result }
        }
        var interactions: [Interaction] = []
        interactions.reserveCapacity(names.count)
        let read = results.withLock { $0 }
        for index in 0..<batches {
            guard let result = read[index] else { continue }
            interactions += try result.get()
        }
        return interactions
    }

    private static func read(_ names: ArraySlice<String>, in path: String) -> Result<[Interaction], FormatError> {
        do throws(FormatError) {
            var interactions: [Interaction] = []
            interactions.reserveCapacity(names.count)
            for name in names {
                let octets = try readFile("\(path)/\(name)")
                interactions.append(try InteractionFormat.read(octets, name: name, folder: path))
            }
            return .success(interactions)
        } catch {
            return .failure(error)
        }
    }

    /// Sees that every body's file is there; returns the names that nothing refers to.
    private func checkBodies(of interactions: [Interaction], names: [String]) throws(FormatError) -> [String] {
        let present = Set(names)
        var needed: Set<String> = []
        for interaction in interactions {
            needed.insert(interaction.name)
            for file in interaction.bodyFiles {
                guard present.contains(file.name) else {
                    throw FormatError(
                        file: folder.interaction(interaction.name),
                        message: "the body's file \(file.name) is missing",
                        advice: "Restore it from version control, or record the interaction again")
                }
                guard Files.isPlainFile(file.path) else { throw notPlain(file.path) }
                needed.insert(file.name)
            }
        }
        return names.filter { !needed.contains($0) }
    }
}
