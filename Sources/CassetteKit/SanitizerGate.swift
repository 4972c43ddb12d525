/// The last look: a scanner of its own reads what the rules left, and what it finds is hidden too.
extension SanitizerPass {
    /// The octets with what the scanner finds replaced.
    ///
    /// - Parameter name: the name under which the octets stand, where they are a value.
    mutating func gate(_ octets: [UInt8], name: [UInt8]? = nil, _ location: SecretLocation) -> [UInt8] {
        let findings = octets.withUnsafeBufferPointer { tables.scanner.findings($0, 0..<$0.count, name: name) }
        guard !findings.isEmpty else { return octets }
        let edits = octets.withUnsafeBufferPointer { source in
            findings.map { finding in
                let replacement = hideFree(source, finding.range, rule: tables.scanRule, known: nil, at: location)
                return SanitizerEdit(range: finding.range, replacement: replacement, rule: tables.scanRule)
            }
        }
        return SanitizerEdit.apply(edits, to: octets)
    }
}
