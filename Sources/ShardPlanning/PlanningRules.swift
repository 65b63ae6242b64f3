public import CallDirectory

/// Everything of a plan that decides where entries go.
public struct PlanningRules: Sendable {
  /// The most clauses that the claims of a plan can have: one for each claim and one for each alternative.
  public static let mostClauses = ClauseSet.capacity

  /// The providers in plan order, which is the order in which claimants are preferred.
  public var providers: [PlannedProvider]
  /// The ids of the plan's sources; `SourceRow.source` is an index into it.
  public var sources: [String]
  /// By source: which of the labels it gives a number counts. Sources behind the end have `first`.
  public var repeats: [RepeatRule]
  /// What happens to an entry that several providers claim.
  public var overlaps: OverlapRule
  /// What happens to an entry that nobody claims.
  public var unclaimed: UnclaimedRule
  /// The release in which entries have places that they keep while they can.
  public var base: PlanningBase

  /// Rules with the plan's defaults.
  public init(
    providers: [PlannedProvider], sources: [String], repeats: [RepeatRule] = [],
    overlaps: OverlapRule = .collapse, unclaimed: UnclaimedRule = .error, base: PlanningBase = PlanningBase()
  ) {
    self.providers = providers
    self.sources = sources
    self.repeats = repeats
    self.overlaps = overlaps
    self.unclaimed = unclaimed
    self.base = base
  }
}
