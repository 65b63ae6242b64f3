internal import DirectorySources
public import ShardPlanning

/// What became of every occurrence that was read, by source and in all.
public struct ReleaseAccounts: Hashable, Sendable {
  /// The accounts of one source.
  public struct Source: Hashable, Sendable {
    /// The source.
    public var id: String
    /// Rows read.
    public var rows: Int
    /// Rows that the source's `where` left out, beside those.
    public var filteredRows = 0
    /// Lines read.
    public var lines: Int
    /// What became of their occurrences.
    public var occurrences: OccurrenceAccounts
  }

  /// By source, in plan order.
  public var sources: [Source]

  /// All sources together.
  public var total: OccurrenceAccounts { sources.reduce(into: OccurrenceAccounts()) { $0.add($1.occurrences) } }

  init(sources: [Source]) { self.sources = sources }

  /// Joins what the reader refused with what the planner did. Fails when an occurrence got lost between the two, which
  /// is a defect of this program.
  init(reading: ReadingReport, placement: [OccurrenceAccounts]) throws(AccountsError) {
    sources = []
    for (source, placed) in zip(reading.sources, placement) {
      var occurrences = placed
      occurrences.read = source.counts.read
      occurrences.refused += source.counts.refused
      guard occurrences.isBalanced else { throw AccountsError(source: source.id, accounts: occurrences) }
      sources.append(
        Source(
          id: source.id, rows: source.counts.rows, filteredRows: source.counts.filteredRows,
          lines: source.counts.lines, occurrences: occurrences))
    }
  }
}

/// The accounts of a source do not add up: a defect of this program, never of the input.
public struct AccountsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The source.
  public var source: String
  /// The figures that do not add up.
  public var accounts: OccurrenceAccounts

  /// The figures in words.
  public var description: String {
    "source \(source): \(accounts.read) read, but \(accounts.used) used + \(accounts.merged) merged + "
      + "\(accounts.removed) removed + \(accounts.dropped) dropped + \(accounts.unclaimed) unclaimed + "
      + "\(accounts.refused) refused"
  }
}
