#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Whole files and folders, by path.
package enum Files {
    /// Reads a whole file. Throws `EISDIR` on a folder.
    package static func read(_ path: String) throws(SystemError) -> [UInt8] {
        let file = try Descriptor.open(path, O_RDONLY)
        var info = stat()
        _ = try SystemCall.retry("fstat", path) { fstat(file.number, &info) }
        return try file.readAll(expecting: Int(info.st_size))
    }

    /// Reads a whole plain file; nil where something else stands at the path: a link, pipe, device or folder.
    ///
    /// Opening waits for nobody, and three calls are enough for a file that nobody changes meanwhile.
    package static func readPlain(_ path: String) throws(SystemError) -> [UInt8]? {
        do throws(SystemError) {
            return try readRegular(path)
        } catch {
            if error.errno == ELOOP || error.errno == ENXIO { return nil }
            throw error
        }
    }

    private static func readRegular(_ path: String) throws(SystemError) -> [UInt8]? {
        let file = try Descriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        var info = stat()
        _ = try SystemCall.retry("fstat", path) { fstat(file.number, &info) }
        guard info.st_mode & S_IFMT == S_IFREG else { return nil }
        let octets = try file.readPiece(upTo: Int(info.st_size) + 1)
        if octets.count == Int(info.st_size) { return octets }
        return octets + (try file.readAll())
    }

    /// Whether something is there; a link counts as what it leads to.
    package static func exists(_ path: String) -> Bool { (try? status(path)) != nil }

    /// Whether a folder is there, or a link to one.
    package static func isDirectory(_ path: String) -> Bool {
        guard let info = try? status(path) else { return false }
        return info.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a plain file is there itself: no link, pipe, device or folder.
    package static func isPlainFile(_ path: String) -> Bool {
        guard let info = try? status(path, followingLinks: false) else { return false }
        return info.st_mode & S_IFMT == S_IFREG
    }

    /// Whether a plain file is there, or a link to one.
    package static func isFile(_ path: String) -> Bool {
        guard let info = try? status(path) else { return false }
        return info.st_mode & S_IFMT == S_IFREG
    }

    /// The size of a file in octets.
    package static func size(_ path: String) throws(SystemError) -> Int { Int(try status(path).st_size) }

    /// What tells that a file was changed or replaced, as far as that can be told without reading it.
    package struct Stamp: Sendable, Equatable {
        private let size: Int64
        private let seconds: Int64
        private let nanoseconds: Int64
        private let inode: UInt64

        fileprivate init(_ status: stat) {
            size = Int64(status.st_size)
            #if canImport(Darwin)
                let time = status.st_mtimespec
            #else
                let time = status.st_mtim
            #endif
            (seconds, nanoseconds) = (Int64(time.tv_sec), Int64(time.tv_nsec))
            inode = UInt64(status.st_ino)
        }
    }

    /// The stamp of what is at a path; nil where nothing is.
    package static func stamp(_ path: String) -> Stamp? { (try? status(path)).map { Stamp($0) } }

    /// The names in a folder, sorted by their octets, without `.` and `..`.
    ///
    /// Octets that are no UTF-8 come out replaced, so such a name leads to no file.
    package static func list(_ directory: String) throws(SystemError) -> [String] {
        try SystemCall.checkPath(directory, for: "opendir")
        let stream = try SystemCall.pointer("opendir", directory) { opendir(directory) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = try SystemCall.next("readdir", directory, { readdir(stream) }) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
            }
            if name != ".", name != ".." { names.append(name) }
        }
        // For ASCII both orders are the same, and the first is the faster one.
        if names.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) { return names.sorted() }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Makes a folder and those above it that are missing. One that is there already is fine, and stays as it is.
    ///
    /// - Parameter mode: what the umask cuts; of the folder itself, while those above it are made for everybody.
    package static func makeDirectories(_ path: String, mode: UInt32 = 0o777) throws(SystemError) {
        try SystemCall.checkPath(path, for: "mkdir")
        do throws(SystemError) {
            _ = try SystemCall.retry("mkdir", path) { mkdir(path, mode_t(mode)) }
        } catch {
            if isDirectory(path) { return }
            // Some file systems, such as /proc, say so of a folder that cannot be made although its parent is there.
            guard error.errno == ENOENT, let parent = parent(of: path), !isDirectory(parent) else { throw error }
            try makeDirectories(parent)
            try makeDirectories(path, mode: mode)
        }
    }

    /// Removes a file, a link, or an empty folder.
    package static func remove(_ path: String) throws(SystemError) {
        try SystemCall.checkPath(path, for: "remove")
        _ = try SystemCall.retry("remove", path) { systemRemove(path) }
    }

    /// Removes a file, or a folder with all that is in it. Links are removed, not followed.
    package static func removeTree(_ path: String) throws(SystemError) {
        if try status(path, followingLinks: false).st_mode & S_IFMT == S_IFDIR {
            for name in try list(path) { try removeTree(path + "/" + name) }
        }
        try remove(path)
    }

    /// Gives a file another name on the same file system, replacing what has it.
    package static func rename(_ old: String, to new: String) throws(SystemError) {
        try SystemCall.checkPath(old, for: "rename")
        try SystemCall.checkPath(new, for: "rename")
        _ = try SystemCall.retry("rename", new) { systemRename(old, new) }
    }

    /// The absolute path with every link and `..` resolved (`realpath(3)`). Throws where nothing is there.
    package static func realPath(_ path: String) throws(SystemError) -> String {
        try SystemCall.checkPath(path, for: "realpath")
        let resolved = try SystemCall.pointer("realpath", path) { realpath(path, nil) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The folder that a path stands in: `.` for a bare name, nil for `/` and for nothing.
    package static func parent(of path: String) -> String? {
        var octets = Array(path.utf8)
        while octets.count > 1, octets.last == UInt8(ascii: "/") { octets.removeLast() }
        guard let slash = octets.lastIndex(of: UInt8(ascii: "/")) else { return octets.isEmpty ? nil : "." }
        if octets.count == 1 { return nil }
        return slash == 0 ? "/" : String(decoding: octets[..<slash], as: UTF8.self)
    }

    static func status(_ path: String, followingLinks: Bool = true) throws(SystemError) -> stat {
        try SystemCall.checkPath(path, for: "stat")
        var info = stat()
        _ = try SystemCall.retry("stat", path) { followingLinks ? stat(path, &info) : lstat(path, &info) }
        return info
    }
}

// Inside `Files` these two names mean its own functions.
private func systemRemove(_ path: String) -> Int32 { remove(path) }
private func systemRename(_ old: String, _ new: String) -> Int32 { rename(old, new) }
