public import CallDirectory
public import ShardPlanning

/// What became of a number, from the rows that name it to the providers that hold it.
public struct NumberHistory: Sendable {
  /// A row that names the number.
  public struct Row: Sendable {
    /// The source.
    public var source: String
    /// The file.
    public var file: String
    /// Line on which the row begins, from 1.
    public var line: Int
    /// The row as it stands in the file, without its line end.
    public var text: String
    /// The cell of the number as it stands in the row.
    public var cell: String
    /// All numbers that the cell names: one, or those of a pattern or a range.
    public var numbers: ClosedRange<PhoneNumber>
    /// What the normaliser repaired or found worth a note; empty for nothing.
    public var notes: String
    /// What the row asks for.
    public var action: EntryAction
    /// Its label as it is stored; empty for none.
    public var label: String
    /// Its area; empty for none.
    public var area: String
    /// Its score; nil for none.
    public var score: Double?
  }

  /// A refused row whose digits contain the number's national significant number.
  public struct RefusedRow: Sendable {
    /// The source.
    public var source: String
    /// The file.
    public var file: String
    /// Line on which the row begins, from 1.
    public var line: Int
    /// Position of the field from 1; nil when the whole row is meant.
    public var column: Int?
    /// The row as it stands in the file, without its line end.
    public var text: String
    /// Why it was refused.
    public var reason: String
  }

  /// In which packs of a provider an entry of the number is.
  public struct Packs: Sendable {
    /// The provider.
    public var provider: ProviderID
    /// The family of the entry.
    public var family: EntryFamily
    /// The names of the packs, in byte order.
    public var names: [String]
  }

  /// The number.
  public var number: PhoneNumber
  /// The rows that name it, in the order of sources, files and lines; the indices of `placement` are into these.
  public var rows: [Row]
  /// Rows that may have meant it.
  public var refused: [RefusedRow]
  /// What the planner did; nil when no row names the number, and when the plan fails over its rows.
  public var placement: PlacementExplanation?
  /// Where the providers that hold it have packs: in which of them it is.
  public var packs: [Packs] = []
}
