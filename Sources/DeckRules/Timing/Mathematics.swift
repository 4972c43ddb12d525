// The three functions that the lognormal model needs, from basic IEEE operations alone: the C library's differ in their last
// digits between platforms, and a delay has to be the same on all.

/// ln x for a finite x above 0; relative error below 1e-14.
package func naturalLogarithm(_ x: Double) -> Double {
    guard x > 0, x.isFinite else { return x > 0 ? .infinity : -.infinity }
    var exponent = Double(x.exponent)
    var fraction = x.significand
    if fraction > 1.414_213_562_373_095_1 {
        fraction /= 2
        exponent += 1
    }
    // ln f = 2 artanh((f - 1) / (f + 1)), and |y| stays below 0.172.
    let y = (fraction - 1) / (fraction + 1)
    let square = y * y
    var sum = 0.0
    for odd in stride(from: 21, through: 1, by: -2) { sum = sum * square + 1 / Double(odd) }
    return exponent * naturalLogarithmOf2 + 2 * y * sum
}

/// e to the power of x; infinity above 709, 0 below -709.
package func exponential(_ x: Double) -> Double {
    guard x < 709 else { return .infinity }
    guard x > -709 else { return 0 }
    let power = (x / naturalLogarithmOf2).rounded()
    let rest = x - power * naturalLogarithmOf2
    var sum = 1.0
    for term in stride(from: 18, through: 1, by: -1) { sum = 1 + sum * rest / Double(term) }
    return sum * Double(sign: .plus, exponent: Int(power), significand: 1)
}

/// How many standard deviations above the mean a normal distribution reaches with this probability (0 and 1 are taken as
/// the nearest numbers between them).
///
/// P. J. Acklam's rational approximation; relative error below 1.2e-9.
package func normalQuantile(_ probability: Double) -> Double {
    let p = min(max(probability, 0x1p-53), 1 - 0x1p-53)
    if p > 0.5 { return -normalQuantile(1 - p) }
    if p < 0.024_25 {
        let q = (-2 * naturalLogarithm(p)).squareRoot()
        return polynomial(tailNumerator, q) / polynomial(tailDenominator, q)
    }
    let q = p - 0.5
    let r = q * q
    return polynomial(centerNumerator, r) * q / polynomial(centerDenominator, r)
}

private let naturalLogarithmOf2 = 0.693_147_180_559_945_3

private let centerNumerator = [
    -39.696_830_286_653_76, 220.946_098_424_520_5, -275.928_510_446_968_7, 138.357_751_867_269_0,
    -30.664_798_066_147_16, 2.506_628_277_459_239,
]
private let centerDenominator = [
    -54.476_098_798_224_06, 161.585_836_858_040_9, -155.698_979_859_886_6, 66.801_311_887_719_72,
    -13.280_681_552_885_72, 1,
]
private let tailNumerator = [
    -0.007_784_894_002_430_293, -0.322_396_458_041_136_5, -2.400_758_277_161_838, -2.549_732_539_343_734,
    4.374_664_141_464_968, 2.938_163_982_698_783,
]
private let tailDenominator = [
    0.007_784_695_709_041_462, 0.322_467_129_070_039_8, 2.445_134_137_142_996, 3.754_408_661_907_416, 1,
]

private func polynomial(_ coefficients: [Double], _ x: Double) -> Double {
    coefficients.reduce(0) { $0 * x + $1 }
}
