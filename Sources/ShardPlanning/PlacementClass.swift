internal import CallDirectory

/// All entries of one family that satisfy the same clauses: they have the same claimants and are interchangeable to the
/// limits, so that the planner decides over a few hundred classes and never over millions of entries.
struct PlacementClass: Sendable {
  /// One copy that an entry of the class needs a place for.
  struct Copy: Sendable {
    /// Providers that may hold the copy, best first; `heldAlready` stands for another claimant, which has a copy of its
    /// own, so that this one need not be placed.
    var preferences: [Int]
    /// By preference: how many copies go there; filled in by the allocation, used up in ascending order of number.
    var quotas: [Int]
    /// The first preference whose quota is not used up.
    var current = 0
    /// By source: whether a label from there is preferred; nil when all are equal.
    var ownSources: [Bool]?
  }

  /// The place of a copy that may be left out because its spill target holds the entry by itself.
  static let heldAlready = -1

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
        // A claimant down the chain holds the entry already, and the chain never comes back, so one copy is placed.
        var preferences = [claimant]
        for target in spill.chain(after: [claimant]) {
          preferences.append(claimants.contains(target) ? Self.heldAlready : target)
          if preferences.last == Self.heldAlready { break }
        }
        copies.append(
          Copy(preferences: preferences, quotas: [], ownSources: matcher.ownSources(of: claimant, set)))
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
