/// What became of the occurrences of a source: one occurrence is one number of one row in one family; a row that cuts
/// (`allow`, `remove`) is one occurrence.
public struct OccurrenceAccounts: Hashable, Sendable {
  /// Occurrences in the rows that were read.
  public var read = 0
  /// Gave the entry its place and label, or made a cut rule.
  public var used = 0
  /// Equal to a number that an earlier row gave to the same family, or repeating a cut rule.
  public var merged = 0
  /// Cut out by an `allow` or `remove` row.
  public var removed = 0
  /// Left out because there was no room, or as the label of a blocked number.
  public var dropped = 0
  /// Left out because no provider claims them.
  public var unclaimed = 0
  /// Not accepted: the row or its number is wrong, or an identification entry has no label.
  public var refused = 0

  /// Accounts in which everything is 0.
  public init() {}

  /// Whether every occurrence that was read ended in exactly one way.
  public var isBalanced: Bool { read == used + merged + removed + dropped + unclaimed + refused }

  /// Adds the figures of another source.
  public mutating func add(_ other: OccurrenceAccounts) {
    read += other.read
    used += other.used
    merged += other.merged
    removed += other.removed
    dropped += other.dropped
    unclaimed += other.unclaimed
    refused += other.refused
  }
}
