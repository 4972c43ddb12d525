/// The rate at which a body reaches the client.
package struct Bandwidth: Sendable, Equatable {
    /// Octets of the body per second; at least 1.
    package var bytesPerSecond: Int

    package init(bytesPerSecond: Int) {
        self.bytesPerSecond = max(1, bytesPerSecond)
    }

    /// Rates by name, in the order of their speed; downstream figures of the networks that they are named after.
    package static let presets: [(name: String, bandwidth: Bandwidth)] = [
        ("gprs", Bandwidth(bytesPerSecond: 6_250)),
        ("edge", Bandwidth(bytesPerSecond: 30_000)),
        ("3g", Bandwidth(bytesPerSecond: 97_500)),
        ("wifi", Bandwidth(bytesPerSecond: 5_000_000)),
        ("lte", Bandwidth(bytesPerSecond: 6_250_000)),
    ]

    /// Finds a preset; nil for any other name.
    package static func named(_ name: String) -> Bandwidth? {
        presets.first { $0.name == name }?.bandwidth
    }
}
