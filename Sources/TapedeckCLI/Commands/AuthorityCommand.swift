import SystemIO
import Transport

/// `tapedeck ca`: makes the certificate authority, shows it, and says how to trust it. It changes no system's store.
struct AuthorityCommand: Sendable {
    let settings: Settings
    let console: Console
    let clock: WallClock
    let random: SecureRandom

    /// What to do, as the command line says it.
    private enum Action: String, CaseIterable {
        case create, show, path, trust
    }

    /// - Throws: `UsageError` for an unknown action, `CommandError` where the authority can't be read or made.
    func run() throws -> Int32 {
        guard let path = AuthorityPlace.folder(settings) else {
            throw UsageError(
                "there is no folder for the certificate authority, for HOME is not set", advice: "--ca-dir DIR")
        }
        let action = try action()
        do {
            try perform(action, AuthorityFolder(path))
            return ExitStatus.fine
        } catch let error as TLSError {
            throw CommandError(
                status: ExitStatus.start, error.message, advice: error.advice.isEmpty ? nil : error.advice)
        }
    }

    private func action() throws(UsageError) -> Action {
        let word = settings.arguments.operands.first ?? ""
        if let action = Action(rawValue: word) { return action }
        let known = Action.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("\"\(word)\" is not one of \(known)", advice: "tapedeck ca show")
    }

    private func perform(_ action: Action, _ folder: AuthorityFolder) throws {
        switch action {
        case .create: try create(folder)
        case .show: try show(folder)
        case .path:
            _ = try folder.loadOrMake(now: now, random: random)
            console.out((try? Files.realPath(folder.certificateFile)) ?? folder.certificateFile)
        case .trust:
            let authority = try folder.loadOrMake(now: now, random: random)
            let file = (try? Files.realPath(folder.certificateFile)) ?? folder.certificateFile
            TrustAdvice(file: file, name: authority.certificate.commonName).lines.forEach(console.out)
        }
    }

    private var now: Int64 { clock.now() / 1_000 }

    private func create(_ folder: AuthorityFolder) throws {
        let hosts = try settings.values(Options.permit).map { value throws(UsageError) in
            guard let host = ServerName(host: value.text) else {
                throw UsageError("\(value.origin): \"\(value.text)\" is no host", advice: "--permit example.com")
            }
            return host
        }
        if try settings.flag(Options.force) {
            try folder.remove()
        } else if try folder.load() != nil {
            throw UsageError(
                "there is a certificate authority in \(folder.path) already",
                advice: "tapedeck ca show, or --force for a new one, which clients then have to trust anew")
        }
        _ = try folder.loadOrMake(now: now, random: random, onlyFor: hosts)
        try show(folder)
    }

    private func show(_ folder: AuthorityFolder) throws {
        guard let authority = try folder.load() else {
            throw UsageError(
                "there is no certificate authority in \(folder.path)",
                advice: "tapedeck ca create; the first HTTPS through the proxy makes it, too")
        }
        let facts = AuthorityFacts(authority.certificate, file: folder.certificateFile)
        try settings.flag(Options.json) ? console.out(octets: facts.json) : facts.lines.forEach(console.out)
    }
}
