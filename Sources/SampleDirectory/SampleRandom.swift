/// Reproducible random numbers (SplitMix64; Steele, Lea and Flood 2014): the same seed gives the same numbers on every
/// machine.
struct SampleRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  @inline(__always)
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number from 0 up to, not including, `bound`.
  ///
  /// Requires: `bound` is positive.
  @inline(__always)
  mutating func below(_ bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A number below `bound` that prefers small ones: half of all lie in the first quarter.
  @inline(__always)
  mutating func skewed(below bound: Int) -> Int {
    let first = next()
    let product = (first >> 32) * (first & 0xFFFF_FFFF)
    return Int(truncatingIfNeeded: product.multipliedFullWidth(by: UInt64(bound)).high)
  }
}
