// swift-tools-version: 6.2

import PackageDescription

/// Every target is held to the same rules: Swift 6, warnings are errors, imports are explicit and internal.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude, resources: resources,
        swiftSettings: strict)
}

let package = Package(
    name: "tapedeck",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .executable(name: "tapedeck", targets: ["tapedeck"]),
        .library(name: "TapedeckClient", targets: ["TapedeckClient"]),
        .library(name: "TapedeckTesting", targets: ["TapedeckTesting"]),
    ],
    targets: [
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl"),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib"),
        .systemLibrary(name: "CBrotli"),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd"),
        .target(name: "CShims", dependencies: ["CCurl", "COpenSSL"]),

        module("HTTPCore"),
        module("SystemIO", ["CShims"]),
        module("Codecs", ["CZlib", "CBrotli", "CZstd"]),
        module("CassetteKit", ["HTTPCore", "SystemIO"]),
        module("DeckRules", ["HTTPCore", "CassetteKit"]),
        module("Transport", ["HTTPCore", "SystemIO", "CShims", "CCurl", "COpenSSL"]),
        module("ControlAPI"),
        module(
            "DeckEngine",
            ["HTTPCore", "SystemIO", "Codecs", "CassetteKit", "DeckRules", "Transport", "ControlAPI"],
            exclude: ["Configuration/tapedeck.schema.json"]),
        module("TapedeckClient", ["ControlAPI", "HTTPCore"]),
        module("TapedeckTesting", ["TapedeckClient", "ControlAPI"]),
        module(
            "TapedeckCLI",
            [
                "DeckEngine", "DeckRules", "CassetteKit", "Codecs", "HTTPCore", "SystemIO", "ControlAPI", "Transport",
                "TapedeckClient",
            ]),
        .executableTarget(name: "tapedeck", dependencies: ["TapedeckCLI"], swiftSettings: strict),

        .target(
            name: "TestSupport", dependencies: ["Codecs", "COpenSSL", "HTTPCore", "SystemIO"],
            path: "Tests/TestSupport",
            swiftSettings: strict),
        .target(
            name: "FuzzTargets", dependencies: ["HTTPCore", "CassetteKit", "DeckEngine"], path: "Tests/Fuzz",
            exclude: ["Corpus", "Regressions", "run.sh", "json.dict"], swiftSettings: strict),
        .executableTarget(
            name: "sanitizing-benchmark", dependencies: ["CassetteKit", "Codecs", "HTTPCore", "SystemIO"],
            path: "Tests/Benchmarks/Sanitizing", swiftSettings: strict),
        tests("HTTPCoreTests", ["HTTPCore", "SystemIO", "FuzzTargets"]),
        tests("SystemIOTests", ["SystemIO"]),
        tests("CodecsTests", ["Codecs"]),
        tests("CassetteKitTests", ["CassetteKit", "HTTPCore", "SystemIO", "Codecs"], exclude: ["Golden"]),
        tests("DeckRulesTests", ["DeckRules", "HTTPCore", "CassetteKit"]),
        tests("TransportTests", ["Transport", "HTTPCore", "SystemIO"]),
        tests(
            "DeckEngineTests",
            [
                "DeckEngine", "DeckRules", "CassetteKit", "HTTPCore", "SystemIO", "Transport", "ControlAPI",
                "TapedeckClient", "Codecs",
            ],
            exclude: ["Configuration/Golden", "Wire/Fixtures"]),
        tests(
            "TapedeckCLITests",
            [
                "TapedeckCLI", "TapedeckClient", "ControlAPI", "DeckEngine", "DeckRules", "CassetteKit", "HTTPCore",
                "SystemIO", "Transport",
            ],
            exclude: ["Golden"]),
        tests(
            "EndToEndTests",
            ["SystemIO", "HTTPCore", "Codecs", "ControlAPI", "TapedeckClient", "TapedeckTesting", "tapedeck"],
            exclude: ["Support/backend.py", "Support/corpus.py", "Support/tls_clients.py"]),
    ]
)
