public import CallDirectory

/// One provider as the plan describes it to the planner.
public struct PlannedProvider: Sendable {
  /// The provider's name.
  public var id: ProviderID
  /// Which entries it asks for; nil for a provider with data of its own, which the planner leaves alone.
  public var claim: Claim?
  /// The most entries it may get, both families together: 1 … 1,999,999.
  public var limit: Int
  /// Where entries go, in this order, that found no room with any claimant.
  public var spillsTo: [ProviderID]
  /// What happens when there is no room at the end of the chain.
  public var excess: ExcessRule
  /// Whether an area or source named by the claim may match no row.
  public var mayBeEmpty: Bool

  /// A provider with the plan's defaults.
  public init(
    id: ProviderID, claim: Claim?, limit: Int = EntryLimit.maximum, spillsTo: [ProviderID] = [],
    excess: ExcessRule = .error, mayBeEmpty: Bool = false
  ) {
    self.id = id
    self.claim = claim
    self.limit = limit
    self.spillsTo = spillsTo
    self.excess = excess
    self.mayBeEmpty = mayBeEmpty
  }
}

/// What happens to entries that fit nowhere.
public enum ExcessRule: String, Sendable, CaseIterable {
  /// The plan fails and says by how many and what would fit.
  case error
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
