internal import CallDirectory

/// In which order labels are dropped for which there is no room: the lowest key goes first.
enum ScoreKey {
  /// The key of an entry: by score, none below all; of equal scores the lower number has the higher key.
  @inline(__always)
  static func of(_ number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>) -> UInt128 {
    let value = score(rows).map { rank($0) } ?? 0
    return UInt128(value) << 64 | UInt128(UInt64.max - UInt64(bitPattern: number.rawValue))
  }

  /// How many of `count` consecutive numbers with the same rows, from `number` on, have a key of at least `threshold`: those at
  /// the start.
  @inline(__always)
  static func count(
    _ count: Int, from number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>, notBelow threshold: UInt128
  ) -> Int {
    let key = of(number, rows)
    return key < threshold ? 0 : Int(min(UInt128(count - 1), key - threshold)) + 1
  }

  /// The highest score of the rows that identify; nil when none has one.
  @inline(__always)
  static func score(_ rows: UnsafeBufferPointer<SourceRow>) -> Double? {
    var best: Double?
    for index in rows.indices where rows[index].action == .identify || rows[index].action == .both {
      if let score = rows[index].score, best.map({ $0 < score }) ?? true { best = score }
    }
    return best
  }

  /// Unsigned integers in the order of the scores; two zeros are equal.
  private static func rank(_ score: Double) -> UInt64 {
    let bits = (score + 0).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }
}
