/// The same input in every way that two reads can deliver it, whole, and one octet at a time: a reader that depends on where
/// its input was cut gives different results for some of these.
package func everySplit(of input: [UInt8]) -> [[[UInt8]]] {
    var splits = [[input]]
    for cut in input.indices.dropFirst() {
        splits.append([Array(input[..<cut]), Array(input[cut...])])
    }
    splits.append(input.map { [$0] })
    return splits
}
