/// A set of claim clauses, one bit each: 256 at most, four words, so that matching an entry is a handful of `and`s.
struct ClauseSet: Hashable, Sendable {
  private var words: SIMD4<UInt64>

  /// The most clauses a plan can have.
  static let capacity = 256

  static let none = ClauseSet(words: .zero)

  private init(words: SIMD4<UInt64>) { self.words = words }

  mutating func insert(_ clause: Int) { words[clause >> 6] |= 1 << UInt64(clause & 63) }

  func contains(_ clause: Int) -> Bool { words[clause >> 6] >> UInt64(clause & 63) & 1 == 1 }

  mutating func formUnion(_ other: ClauseSet) { words |= other.words }

  /// A value that spreads sets over a table.
  var spread: UInt64 { words[0] ^ words[1] &<< 1 ^ words[2] &<< 2 ^ words[3] &<< 3 }

  func intersection(_ other: ClauseSet) -> ClauseSet { ClauseSet(words: words & other.words) }
}
