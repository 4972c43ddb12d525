import CassetteKit
import DeckRules
import SystemIO

extension DeckCore {
    /// Takes a new configuration for new exchanges; sessions keep their cursors, and their choices as far as these are still
    /// there. Nothing changes where it can't be taken.
    ///
    /// - Returns: a sentence for each choice that is gone, and for each setting that holds only after a restart.
    func adopt(_ configuration: Configuration) throws(DeckError) -> [String] {
        // Nothing is taken before it is known that every session can take it.
        let cores = [self] + (sessions?.entries.map(\.entry.core) ?? [])
        var rules: [RuleSet] = []
        for core in cores {
            var options = core.options
            options.configuration = configuration
            rules.append(try DeckBuilder.rules(of: options))
        }
        var sentences: [String] = []
        for (core, rules) in zip(cores, rules) {
            let gone = core.session.withRules { $0.adopt(rules) }
            sentences += core === self ? gone : gone.map { "session \(core.session.name): \($0)" }
            core.adopt { $0.replaced(by: configuration) }
            core.applyChoices()
        }
        sentences += configuration.warnings.map(\.description)
        var options = options
        options.configuration = configuration
        if options.followsWrites != self.options.followsWrites {
            sentences.append("the new \"playback\": \"followWrites\" holds after a restart")
        }
        return sentences + self.options.configuration.needingRestart(configuration)
    }

    /// Reads the configuration's file again and takes it.
    ///
    /// - Throws: `ReloadFailure` with every problem; the deck goes on as it was.
    func reload() async throws(ReloadFailure) -> (file: String, sentences: [String]) {
        guard let file = options.configuration.file else {
            throw ReloadFailure(problems: ["the deck was started without a configuration file"])
        }
        let read: Result<Configuration, ConfigurationError>? = try? await queue.run {
            do throws(ConfigurationError) {
                return .success(try Configuration.load(file))
            } catch {
                return .failure(error)
            }
        }
        switch read {
        case nil: throw ReloadFailure(problems: ["the deck is stopping"])
        case .failure(let error): throw failed(error.problems.map(\.description))
        case .success(let configuration):
            do throws(DeckError) {
                let sentences = try adopt(configuration)
                log(.info, "configuration read again: \(file)")
                for sentence in sentences { log(.warning, sentence) }
                return (file, sentences)
            } catch {
                throw failed([error.message])
            }
        }
    }

    private func failed(_ problems: [String]) -> ReloadFailure {
        for problem in problems { log(.error, "the configuration stays as it was: \(problem)") }
        return ReloadFailure(problems: problems)
    }
}

/// Why a configuration was not taken; the one before still holds.
package struct ReloadFailure: Error, Sendable, Equatable {
    /// At least one sentence, each with its place.
    package var problems: [String]
}

extension Configuration {
    /// What another configuration changes that a running deck can't take.
    fileprivate func needingRestart(_ other: Configuration) -> [String] {
        let changed: [(String, Bool)] = [
            ("upstreams", upstreams != other.upstreams), ("sanitize", sanitizing != other.sanitizing),
            ("match", match != other.match || routeMatch != other.routeMatch),
            ("clock", clock != other.clock),
            ("listen and control", options != other.options),
        ]
        return changed.filter(\.1).map { "the new \"\($0.0)\" holds after a restart" }
    }
}
