package import CassetteKit
import SystemIO

extension Sanitizer {
    /// The sanitizer that a configuration asks for.
    ///
    /// - Parameters:
    ///   - secretVariables: names of environment variables, besides those that the configuration names, whose values are
    ///     secret.
    ///   - places: the cassette's own secret places.
    ///   - variable: the value of an environment variable.
    ///   - codecs: the codings of bodies.
    ///   - warn: takes a sentence about something that hides less than it seems to.
    /// - Throws: `DeckError` if the secrets file can't be read, or a variable of `secretVariables` is not set.
    package init(
        _ configuration: Configuration, secretVariables: [String] = [], places: [SecretPlace] = [],
        variable: (String) -> String?, codecs: ContentCodecs = CassetteCodecs.make { _ in },
        warn: (String) -> Void
    ) throws(DeckError) {
        let configured = configuration.sanitizing
        var secrets: [String] = []
        for name in configured.secretsFrom {
            if let value = variable(name), !value.isEmpty {
                secrets.append(value)
            } else {
                warn("\"secretsFrom\" names \(name), which is not set: nothing to hide")
            }
        }
        for name in secretVariables {
            guard let value = variable(name), !value.isEmpty else {
                throw DeckError(
                    .usage, "--secret-env names \(name), which is not set.", advice: "set it, or take the option out")
            }
            secrets.append(value)
        }
        if let file = configured.secretsFile { secrets += try Self.lines(of: file, in: configuration.folder) }
        let short = secrets.count { $0.utf8.count < SecretLedger.shortestLiteral }
        if short > 0 {
            warn("\(short) secrets have fewer than \(SecretLedger.shortestLiteral) octets and are not looked for")
        }
        self.init(rules: configured.rules(secrets: secrets, places: places), codecs: codecs)
    }

    private static func lines(of file: String, in folder: String) throws(DeckError) -> [String] {
        let path = file.hasPrefix("/") || folder.isEmpty ? file : "\(folder)/\(file)"
        do {
            let lines = String(decoding: try Files.read(path), as: UTF8.self).split(whereSeparator: \.isNewline)
            return lines.map { $0.trimming(while: { $0 == " " || $0 == "\t" }) }.filter { !$0.isEmpty }
        } catch {
            throw DeckError(
                .usage, "\"secretsFile\": \(error.message)", advice: "create the file or take the key out")
        }
    }
}

extension Substring {
    /// Without such characters at both ends.
    fileprivate func trimming(while isDropped: (Character) -> Bool) -> String {
        var rest = drop(while: isDropped)
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return String(rest)
    }
}
