public import CallDirectory
public import DirectorySources
public import ShardPacks
public import ShardPlanning

/// What a plan comes to: who gets what, what became of the rows, and what changes against the base release.
public struct PlanReport: Sendable {
  /// What one planned provider gets.
  public struct Provider: Hashable, Sendable {
    /// Its place among the others, limit and counts.
    public var placement: PlacementReport.Provider
    /// The size of its shard in bytes: exact once it is written, before that an estimate.
    public var bytes: Int
    /// Whether its content differs from the base release's, so that phones must load it again.
    public var needsReload: Bool
    /// The fill from which the plan calls it nearly full.
    public var warnAt: Double
    /// For copies that are filled by score, one after the other: entries of all as a share of their limits together, which is what
    /// `warnAt` is about then. Nil for others.
    public var groupFill: Double?
    /// Its packs and sets; nil without. Files have names once they are written.
    public var packs: PackIndex?

    /// Entries as a share of the limit, 0 … 1; with packs that of the fullest set.
    public var fill: Double { Double(limitedEntries) / Double(placement.limit) }
    /// The entries that the limit is about: all of them, with packs those of the fullest set.
    public var limitedEntries: Int { packs.map { $0.sets.map(\.counts.total).max() ?? 0 } ?? placement.counts.total }
    /// Whether it is filled so far that the plan wants a warning.
    public var isNearlyFull: Bool { (groupFill ?? fill) >= warnAt }
  }

  /// The copies of one entry of the plan.
  public struct Group: Hashable, Sendable {
    /// The entry.
    public var id: ProviderID
    /// How many copies it has.
    public var copies: Int
    /// Whether the plan states the number; otherwise it is `auto`.
    public var isPinned: Bool
  }

  /// A label that was dropped for want of room.
  public struct DroppedLabel: Hashable, Sendable {
    /// The file of the row that gave it.
    public var file: String
    /// The line on which that row begins, from 1.
    public var line: Int
    /// The number.
    public var number: PhoneNumber
    /// Its score; nil when no row of the number has one.
    public var score: Double?
  }

  /// What the patterns and ranges of one source come to.
  public struct RangePrice: Hashable, Sendable {
    /// The source.
    public var source: String
    /// Its patterns and ranges that were accepted.
    public var rows: Int
    /// Their numbers, each pattern's by themselves.
    public var numbers: Int
    /// Numbers in at least one of them: what is left once overlapping and nested ones are joined, before any cut.
    public var covered: Int
  }

  /// The plan's name.
  public var planName: String
  /// By provider, in plan order.
  public var providers: [Provider]
  /// Entries claimed by two providers.
  public var overlaps: [PlacementReport.Overlap]
  /// What became of the rows.
  public var accounts: ReleaseAccounts
  /// The release compared with; nil when there is none.
  public var base: Int?
  /// Entries of the base release; nil without one.
  public var baseEntries: Int?
  /// What each source was in the base release; empty without one.
  public var changes: [SourceChange]
  /// The limits of sources' guards that this run exceeds.
  public var breaches: [GuardBreach]
  /// Entries that left one provider for another since the base release: of each number and family as many as providers
  /// lost it while others gained it. Entries of a base shard that cannot be read are left out.
  public var moved: Int
  /// What it costs a phone.
  public var phoneCost: PhoneCost
  /// What the settings change that was asked about does; nil when none was.
  public var settingsEffect: SettingsEffect?
  /// Shards of the base release that could not be read, a sentence each: their entries were placed as if they were new.
  public var baseProblems: [String]
  /// The entries of the plan that have copies, in plan order.
  public var groups: [Group]
  /// Labels dropped for want of room; under `keep` each claimant's copy counts.
  public var dropped: Int
  /// The first of them in the order of files and lines.
  public var droppedExamples: [DroppedLabel]
  /// Labels of blocked numbers that were dropped because the plan wants none.
  public var labelsOfBlocked: Int
  /// What the reader refused and noted, with examples.
  public var reading: ReadingReport
  /// What patterns and ranges come to, for the sources that have such, in plan order.
  public var ranges: [RangePrice]
  /// What allow and remove rows cut.
  public var cuts: PlacementReport.Cuts
  /// The first identification rows that no row of their number gives a label.
  public var unlabelled: [RowExample]
  /// Numbers that several rows give one and the same label.
  public var repeatedLabels: Int
  /// Numbers that carry more than one label.
  public var conflictingLabels: Int
  /// Entries that providers had in the base release and that now only providers have that are new since: those start off on
  /// phones.
  public var startingOff: [StartingOff] = []
  /// What the plan's layouts come to, in plan order.
  public var layouts: [Layout] = []

  /// Everything that was refused, grouped by reason: what the reader refused, then rows that nobody gives a label.
  public var refusals: [FindingGroup] {
    let count = accounts.total.refused - reading.total.refused
    let unlabelled = FindingGroup(finding: .noLabel, count: count, examples: unlabelled)
    return reading.refusals + (count > 0 ? [unlabelled] : [])
  }

  /// Entries of all providers.
  public var entries: Int { providers.reduce(0) { $0 + $1.placement.counts.total } }

  /// The providers that phones must load again.
  public var reloads: [ProviderID] { providers.filter(\.needsReload).map(\.placement.id) }
}
