/// What was written, for the reader of a run and for tests that check what a plan makes of it.
public struct SampleSummary: Hashable, Sendable {
  /// One file of the sample.
  public struct File: Hashable, Sendable {
    /// The name in the sample's folder.
    public let name: String
    /// Lines without the header.
    public internal(set) var rows: Int
    /// Size in bytes.
    public internal(set) var bytes: Int
  }

  /// One group of numbers and what its provider gets of them.
  public struct Group: Hashable, Sendable {
    /// The id of the source and of the provider.
    public let id: String
    /// Different numbers that lead to an entry.
    public internal(set) var numbers = 0
    /// Entries of the identification family.
    public internal(set) var identification = 0
    /// Entries of the blocking family, after `never-block.txt`.
    public internal(set) var blocking = 0
    /// Rows that repeat an earlier number of the group with its label.
    public internal(set) var repeats = 0
    /// Rows that give an earlier number of the group another label.
    public internal(set) var conflicts = 0
    /// Rows whose phone cell holds no number, or more than a number.
    public internal(set) var malformed = 0
    /// Rows without a label whose number is not blocked by them.
    public internal(set) var unlabelled = 0
    /// Numbers that stand in an earlier group too.
    public internal(set) var overlaps = 0

    /// Entries of both families, which is what a provider's limit counts.
    public var entries: Int { identification + blocking }
  }

  /// The files in the order written.
  public internal(set) var files: [File]
  /// Moscow with Saint Petersburg, the rest of Russia, abroad.
  public internal(set) var groups: [Group]
}
