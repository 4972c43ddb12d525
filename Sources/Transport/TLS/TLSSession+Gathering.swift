import HTTPCore

extension TLSSession {
    /// Sends three pieces as one, leaving out the first `skip` octets, as far as the kernel takes them. Gives how many octets it
    /// has taken, nil for a failure.
    ///
    /// Each record takes as much as it can, across the pieces, so that a head and a short body are one.
    func write(_ first: Bytes, _ second: Bytes, _ third: Bytes, skip: Int) -> Int? {
        let total = first.count + second.count + third.count
        var sent = skip
        while sent < total {
            guard let count = writeRecord(first, second, third, from: sent, total: total) else { return nil }
            if count == 0 { break }
            sent += count
        }
        return sent - skip
    }

    private func writeRecord(_ first: Bytes, _ second: Bytes, _ third: Bytes, from start: Int, total: Int) -> Int? {
        let wanted = min(total - start, Self.recordSize)
        var before = 0
        for piece in [first, second, third] {
            let offset = start - before
            if offset < piece.count, piece.count - offset >= wanted {
                return piece.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[offset...].prefix(wanted))) }
            }
            if offset < piece.count { break }
            before += piece.count
        }
        return gathered(first, second, third, from: start, wanted).withUnsafeBytes { write($0) }
    }

    private func gathered(_ first: Bytes, _ second: Bytes, _ third: Bytes, from start: Int, _ wanted: Int) -> Bytes {
        var octets = Bytes()
        octets.reserveCapacity(wanted)
        var before = 0
        for piece in [first, second, third] {
            let from = max(0, start - before)
            if from < piece.count { octets += piece[from..<min(piece.count, from + wanted - octets.count)] }
            before += piece.count
        }
        return octets
    }
}
