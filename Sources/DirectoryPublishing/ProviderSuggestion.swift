public import CallDirectory

/// Providers that would hold the rows of a plan: as few as were found, with whole areas.
public struct ProviderSuggestion: Sendable {
  /// One suggested entry of the plan's `providers`.
  public struct Provider: Sendable {
    /// Its id.
    public var id: ProviderID
    /// What a person sees in the settings: its largest areas.
    public var title: String
    /// The areas that it is to hold, in byte order.
    public var areas: [String]
    /// Whether it is the one with `"rest": true`, which claims its areas by naming none.
    public var takesRest: Bool
    /// How many providers stand behind it.
    public var copies: Int
    /// Where it spills to.
    public var spillsTo: [ProviderID]
  }

  /// What one provider of a phone gets, as the planner placed it.
  public struct Placed: Sendable {
    /// The provider: a suggested entry or a copy of one.
    public var id: ProviderID
    /// Position of the entry in `providers`.
    public var provider: Int
    /// Entries placed with it.
    public var counts: EntryCounts
  }

  /// The most entries of a provider.
  public var limit: Int
  /// The suggested entries in plan order, without those that have data of their own.
  public var providers: [Provider]
  /// By provider of a phone: the result of planning the rows with these providers.
  public var placed: [Placed]
  /// Entries of the rows, each once.
  public var entries: Int
  /// Areas that have entries.
  public var areas: Int
  /// Entries without an area.
  public var withoutArea: Int
  /// Fewer providers cannot hold the rows with whole areas.
  public var lowerBound: Int
  /// Whether it is known that fewer providers would not do.
  public var isOptimal: Bool
  /// Whether all entries that areas share were known as such; otherwise areas were taken for larger together than they are.
  public var sizesAreExact: Bool
  /// A JSON array that can stand as `providers` in the plan: the suggested entries, and those of the plan that have data of
  /// their own as they stand there.
  public var fragment: [UInt8]
}
