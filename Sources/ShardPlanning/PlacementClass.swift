internal import CallDirectory

/// All entries of one family that satisfy the same clauses: they have the same claimants and are interchangeable to the
/// limits, so that the planner decides over a few hundred classes and never over millions of entries.
struct PlacementClass: Sendable {
  /// One copy that an entry of the class needs a place for.
  struct Copy: Sendable {
    /// Providers that may hold the copy, best first.
    var preferences: [Int]
    /// By preference: how many copies go there; filled in by the allocation, used up in ascending order of number.
    var quotas: [Int]
    /// The first preference whose quota is not used up.
    var current = 0
    /// By source: whether a label from there is preferred; nil when all are equal.
    var ownSources: [Bool]?
  }

  var family: EntryFamily
  /// Positions of the providers that claim the entries, in plan order; empty when nobody does.
  var claimants: [Int]
  /// One copy under `collapse`, one per claimant under `keep`.
  var copies: [Copy]
  /// Entries of the class.
  var count = 0

  init(family: EntryFamily, set: ClauseSet, matcher: borrowing ClaimMatcher, rules: PlanningRules, spill: SpillChains) {
    self.family = family
    claimants = matcher.claimants(set)
    switch rules.overlaps {
    case .collapse:
      let preferences = claimants + spill.chain(after: claimants)
      copies = claimants.isEmpty ? [] : [Copy(preferences: preferences, quotas: [], ownSources: nil)]
    case .keep:
      copies = []
      for claimant in claimants {
        // The other claimants hold the number already, so a copy that finds no room cannot spill to them.
        let chain = spill.chain(after: [claimant]).filter { !claimants.contains($0) }
        copies.append(
          Copy(preferences: [claimant] + chain, quotas: [], ownSources: matcher.ownSources(of: claimant, set)))
      }
    }
  }
}

/// The `spillsTo` keys of a plan as positions.
struct SpillChains: Sendable {
  private let targets: [[Int]]

  init(_ providers: [PlannedProvider]) {
    targets = providers.map { provider in
      provider.spillsTo.compactMap { id in providers.firstIndex { $0.id == id } }
    }
  }

  /// Where entries of `claimants` go that found no room with them: each claimant's targets, then the targets' own, each
  /// provider once.
  func chain(after claimants: [Int]) -> [Int] {
    var found: [Int] = []
    func follow(_ position: Int) {
      for target in targets[position] where !found.contains(target) && !claimants.contains(target) {
        found.append(target)
        follow(target)
      }
    }
    for claimant in claimants { follow(claimant) }
    return found
  }
}
