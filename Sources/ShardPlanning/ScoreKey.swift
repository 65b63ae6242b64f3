internal import CallDirectory

/// The value of an entry: labels for which there is no room are dropped by it, the lowest first, and providers that are filled by
/// score take the highest first.
enum ScoreKey {
  /// The key of an entry: by score, none below all; of equal scores the lower number has the higher key.
  @inline(__always)
  static func of(
    _ number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>, _ family: EntryFamily = .identification
  ) -> UInt128 {
    let value = score(rows, family).map { rank($0) } ?? 0
    return UInt128(value) << 64 | UInt128(UInt64.max - UInt64(bitPattern: number.rawValue))
  }

  /// How many of `count` consecutive numbers with the same rows, from `number` on, have a key of at least `threshold`: those at
  /// the start.
  @inline(__always)
  static func count(
    _ count: Int, from number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>,
    _ family: EntryFamily = .identification, notBelow threshold: UInt128
  ) -> Int {
    let key = of(number, rows, family)
    return key < threshold ? 0 : Int(min(UInt128(count - 1), key - threshold)) + 1
  }

  /// The highest score of the rows that ask for the entry; nil when none has one.
  @inline(__always)
  static func score(
    _ rows: UnsafeBufferPointer<SourceRow>, _ family: EntryFamily = .identification
  ) -> Double? {
    let own: EntryAction = family == .blocking ? .block : .identify
    var best: Double?
    for index in rows.indices where rows[index].action == own || rows[index].action == .both {
      if let score = rows[index].score, best.map({ $0 < score }) ?? true { best = score }
    }
    return best
  }

  /// Unsigned integers in the order of the scores; two zeros are equal.
  private static func rank(_ score: Double) -> UInt64 {
    let bits = (score + 0).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }

  /// The score of a key; nil for one without.
  static func score(of key: UInt128) -> Double? {
    let rank = UInt64(truncatingIfNeeded: key >> 64)
    if rank == 0 { return nil }
    return Double(bitPattern: rank >> 63 == 1 ? rank & ~(1 << 63) : ~rank)
  }

  /// The key by which an entry competes for a place: its score, for one that has the place multiplied by `factor`, and of equal
  /// ones whoever has the place first. Numbers are below 2⁶³, so the highest bit of their half is free for that.
  static func competing(_ key: UInt128, holds: Bool, factor: Double) -> UInt128 {
    let mark = UInt128(1) << 63
    guard holds else { return key & ~mark }
    guard let score = score(of: key), factor > 1 else { return key | mark }
    let raised = score < 0 ? score / factor : score * factor
    return UInt128(rank(raised)) << 64 | (key & UInt128(UInt64.max)) | mark
  }
}
