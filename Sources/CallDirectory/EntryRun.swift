/// Consecutive numbers of which a provider says the same: a single number, or a range that stays unexpanded.
///
/// The label is borrowed as that of a `DirectoryEntry` is.
public struct EntryRun {
  /// What is said, of the first number.
  public var entry: DirectoryEntry
  /// How many numbers there are, 1 or more.
  public var count: Int

  /// `count` numbers from that of `entry` on. Requires: the last of them is an `Int64`.
  public init(_ entry: DirectoryEntry, count: Int = 1) {
    self.entry = entry
    self.count = count
  }

  /// The first and the last number.
  public var numbers: ClosedRange<PhoneNumber> { entry.number...PhoneNumber(entry.number.rawValue + Int64(count - 1)) }

  /// How many entries the phone counts: one per number and family (R-CAP-2).
  public var entryCount: Int { entry.entryCount * count }
}
