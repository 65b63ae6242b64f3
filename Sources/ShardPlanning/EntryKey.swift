internal import CallDirectory

/// What the planner knows of an entry: entries with equal keys are interchangeable to it but for their numbers and scores.
struct EntryKey: Hashable, Sendable {
  var family: EntryFamily
  /// Whether it is the label of a number that is blocked; always false where no provider asks.
  var isOfBlocked: Bool
  /// The stretch between two cuts of copies in which the number lies.
  var segment: Int32
  /// The clauses that hold for it.
  var set: ClauseSet
  /// Where it was in the base release.
  var held: PlaceSet

  /// A value that spreads keys over a table of a power of two.
  @inline(__always)
  var spread: UInt64 {
    let mixed =
      (set.spread ^ held.spread.byteSwapped &+ UInt64(truncatingIfNeeded: segment)) &* 0x9E37_79B9_7F4A_7C15
    return mixed >> 32 ^ (family == .blocking ? 1 : 0) ^ (isOfBlocked ? 2 : 0)
  }
}
