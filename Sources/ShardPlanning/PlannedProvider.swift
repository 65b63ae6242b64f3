public import CallDirectory

/// One provider as the plan describes it to the planner.
public struct PlannedProvider: Sendable {
  /// The provider's name; with copies, the group's.
  public var id: ProviderID
  /// Which entries it asks for; nil for a provider with data of its own, which the planner leaves alone.
  public var claim: Claim?
  /// The most entries it may get, both families together: 1 … 1,999,999. Each copy may get as many.
  public var limit: Int
  /// Where entries go, in this order, that found no room with any claimant.
  public var spillsTo: [ProviderID]
  /// What happens when there is no room at the end of the chain.
  public var excess: ExcessRule
  /// Whether an area or source named by the claim may match no row.
  public var mayBeEmpty: Bool
  /// Whether it gets no label of a number that is blocked, by whomever.
  public var dropsLabelsOfBlocked: Bool
  /// How many copies share the claim by ranges of numbers.
  public var count: CopyCount
  /// The share of its limit from which it is called nearly full, above 0 up to 1.
  public var warnAt: Double
  /// How many entries it takes where that is not the limit: the limit of packs is one of each set that is delivered, not of all
  /// of them together.
  public var room: Int?

  /// Room for all there are: far above any directory, and far below what sums of it could overflow.
  public static let unlimitedRoom = 1 << 40

  /// Who gets the places where not all have one, and how copies are filled.
  public var fillBy: FillRule
  /// With `FillRule.score`: an entry that has a place yields only to one whose score is higher by more than this ratio,
  /// 0 or more.
  public var fillMargin: Double

  /// The plan's default for `fillMargin`.
  public static let standardFillMargin = 0.1

  /// The plan's default for `warnAt`.
  public static let standardWarnAt = 0.9

  /// A provider with the plan's defaults.
  public init(
    id: ProviderID, claim: Claim?, limit: Int = EntryLimit.maximum, spillsTo: [ProviderID] = [],
    excess: ExcessRule = .error, mayBeEmpty: Bool = false, dropsLabelsOfBlocked: Bool = false,
    count: CopyCount = .single, warnAt: Double = PlannedProvider.standardWarnAt,
    fillBy: FillRule = .number, fillMargin: Double = PlannedProvider.standardFillMargin, room: Int? = nil
  ) {
    self.id = id
    self.claim = claim
    self.limit = limit
    self.spillsTo = spillsTo
    self.excess = excess
    self.mayBeEmpty = mayBeEmpty
    self.dropsLabelsOfBlocked = dropsLabelsOfBlocked
    self.count = count
    self.warnAt = warnAt
    self.fillBy = fillBy
    self.fillMargin = fillMargin
    self.room = room
  }
}

/// How many providers stand behind one entry of the plan.
public enum CopyCount: Hashable, Sendable {
  /// One, under the id itself.
  case single
  /// So many copies, under `ID-1`, `ID-2` …
  case fixed(Int)
  /// As many copies as the entries need.
  case auto

  /// The most copies of one entry of the plan; `auto` stops there.
  public static let most = 100

  /// The id of a copy, from 1.
  public static func id(_ group: ProviderID, copy: Int) -> ProviderID? { ProviderID("\(group.rawValue)-\(copy)") }

  /// Those of `ids` that are copies of `group`, in the order of the copies.
  public static func copies(of group: ProviderID, among ids: [ProviderID]) -> [ProviderID] {
    let known = Set(ids)
    return (1...most).compactMap { id(group, copy: $0) }.filter(known.contains)
  }
}

/// Which entries get the places of a provider that cannot have all, blocks before labels in any case.
public enum FillRule: String, Sendable, CaseIterable {
  /// The lowest numbers; copies share the claim by ranges of numbers.
  case number
  /// The highest scores, an entry without one last, of equal ones the lower number; copies are filled one after the
  /// other, so that the first alone covers the most.
  case score
}

/// What happens to entries that fit nowhere.
public enum ExcessRule: String, Sendable, CaseIterable {
  /// The plan fails and says by how many and what would fit.
  case error
  /// Labels are dropped, the lowest score first; an entry without score is lower than any, and of equal ones the higher
  /// number goes. A block is never dropped.
  case dropLowestScore
}

/// What happens to an entry that several providers claim.
public enum OverlapRule: String, Sendable, CaseIterable {
  /// The first claimant in plan order that has room gets it.
  case collapse
  /// Each claimant gets it, with a label merged from the sources that claimant claims.
  case keep
}

/// What happens to entries that no provider claims.
public enum UnclaimedRule: String, Sendable, CaseIterable {
  /// The plan fails with a count and samples.
  case error
  /// Identification entries are dropped and counted; an unclaimed block still fails the plan.
  case drop
}
