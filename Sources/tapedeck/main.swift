import TapedeckCLI

#if canImport(Darwin)
    import Foundation
#else
    import FoundationEssentials
    import Glibc
#endif

let variables = ProcessInfo.processInfo.environment
let program = Program(console: .standard(variables: variables), variables: variables)
exit(await program.run(Array(CommandLine.arguments.dropFirst())))
