/// The recorded answer, late: long enough to see a spinner, and long enough to lose patience.
let slowVariants: [String: VariantDefinition] = [
    "loading": VariantDefinition(latency: .fixed(.milliseconds(750))),
    "slow": VariantDefinition(latency: .fixed(.seconds(3))),
]
