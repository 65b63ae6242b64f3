/// Draws an index with probability in proportion to its weight, in constant time (alias method; Walker 1977, Vose 1991).
struct AliasTable {
  private let thresholds: [UInt32]
  private let aliases: [UInt32]

  /// A table for `weights`.
  ///
  /// Requires: one weight or more, all positive.
  init(_ weights: [Double]) {
    let total = weights.reduce(0, +)
    var scaled = weights.map { $0 / total * Double(weights.count) }
    var aliases = weights.indices.map { UInt32($0) }
    var small = scaled.indices.filter { scaled[$0] < 1 }
    var large = scaled.indices.filter { scaled[$0] >= 1 }
    while let poor = small.popLast(), let rich = large.popLast() {
      aliases[poor] = UInt32(rich)
      scaled[rich] -= 1 - scaled[poor]
      if scaled[rich] < 1 { small.append(rich) } else { large.append(rich) }
    }
    thresholds = scaled.map { UInt32(min(max($0, 0) * 4_294_967_296, 4_294_967_295)) }
    self.aliases = aliases
  }

  @inline(__always)
  func draw(_ random: inout SampleRandom) -> Int {
    let bits = random.next()
    let index = Int(truncatingIfNeeded: ((bits >> 32) &* UInt64(thresholds.count)) >> 32)
    return UInt32(truncatingIfNeeded: bits) <= thresholds[index] ? index : Int(aliases[index])
  }
}
