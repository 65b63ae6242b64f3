/// What the second day of a sample makes of a number of the first.
enum DayChange {
  /// It is as it was.
  case none
  /// It has no row any more.
  case gone
  /// It has another label.
  case relabelled

  /// Per mille of the first day's numbers.
  private static let goneShare: UInt64 = 30
  private static let relabelledShare: UInt64 = 6
  /// One new number for so many of the first day.
  static let newShare = 100

  /// The change of a number: the same in every table and on every machine.
  @inline(__always)
  init(_ number: UInt64, seed: UInt64) {
    var random = SampleRandom(seed: number &* 0x9E37_79B9_7F4A_7C15 ^ seed)
    switch random.next() % 1000 {
    case ..<Self.goneShare: self = .gone
    case ..<(Self.goneShare + Self.relabelledShare): self = .relabelled
    default: self = .none
    }
  }

  /// Another label than `label`.
  static func other(_ label: UInt32) -> UInt32 { (label &+ 0x2545_F491) & 0x7FFF_FFFF }
}
