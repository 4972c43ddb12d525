import Testing

@testable import DeckRules

@Suite struct MathematicsTests {
    @Test(arguments: [
        (1.0, 0.0), (2.0, 0.693_147_180_559_945), (10.0, 2.302_585_092_994_046), (0.5, -0.693_147_180_559_945),
        (1e300, 690.775_527_898_213_7), (1e-300, -690.775_527_898_213_7),
    ]) func logarithm(_ x: Double, _ expected: Double) {
        #expect(abs(naturalLogarithm(x) - expected) <= 1e-13 * max(1, abs(expected)))
    }

    @Test(arguments: [
        (0.0, 1.0), (1.0, 2.718_281_828_459_045), (-1.0, 0.367_879_441_171_442_3), (20.0, 485_165_195.409_790_3),
        (-20.0, 2.061_153_622_438_558e-9),
    ]) func exponentiation(_ x: Double, _ expected: Double) {
        #expect(abs(exponential(x) - expected) <= 1e-13 * expected)
    }

    @Test(arguments: [
        (0.5, 0.0), (0.99, 2.326_347_874_040_841), (0.01, -2.326_347_874_040_841), (0.975, 1.959_963_984_540_054),
        (0.001, -3.090_232_306_167_814), (0.84, 0.994_457_883_209_753),
    ]) func quantile(_ probability: Double, _ expected: Double) {
        #expect(abs(normalQuantile(probability) - expected) < 1e-8)
    }

    @Test func quantilesAtTheEndsAreFinite() {
        #expect(normalQuantile(0).isFinite && normalQuantile(1).isFinite)
    }
}
