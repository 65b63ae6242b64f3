internal import CallDirectory

/// All entries with one key: they have the same claimants and are interchangeable to the limits, so that the planner decides over a
/// few hundred classes and never over millions of entries.
struct PlacementClass: Sendable {
  /// One copy that an entry of the class needs a place for.
  struct Copy: Sendable {
    /// Index of the share that gives out the places.
    var share: Int
    /// The provider in which the copy is at home.
    var home: Int
    /// By source: whether a label from there is preferred; nil when all are equal.
    var ownSources: [Bool]?
  }

  var family: EntryFamily
  /// Positions in the plan of the entries that claim it; empty when nobody does.
  var claimants: [Int]
  /// One copy under `collapse`, one per claimant under `keep`; none where nobody takes it.
  var copies: [Copy]
  /// Entries of the class.
  var count: Int
  /// Whether its claimants get no labels of blocked numbers, so that it is dropped.
  var isDropped: Bool
}

/// Copies that may go to the same places in the same order of preference: what the limits are shared out over.
struct PlacementShare: Sendable {
  /// What tells shares apart.
  struct Key: Hashable {
    var family: EntryFamily
    /// Whether copies may be dropped when there is no room.
    var mayBeDropped: Bool
    /// Providers that may hold a copy, best first; `heldAlready` stands for another claimant, which has a copy of its own,
    /// so that this one need not be placed.
    var preferences: [Int]
    /// The preference that holds them in the base release, nil when they are new.
    var stay: Int?
  }

  /// The place of a copy that may be left out because its spill target holds the entry by itself.
  static let heldAlready = -1

  let key: Key
  /// Copies to be placed.
  var count = 0
  /// By preference: how many copies go there; filled in by the allocation, used up in ascending order of number.
  var quotas: [Int] = []
  /// The least key that a copy must have not to be dropped (`ScoreKey`).
  var threshold: UInt128 = 0

  /// By leading preference: the least key that goes there, where those are filled by score (`ScoreFill`).
  var levels: [UInt128] = []

  /// The preference that is used up first.
  private var current: Int

  init(_ key: Key) {
    self.key = key
    current = key.stay ?? 0
  }

  /// The provider that gets the next `count` copies in ascending order of number: its place in the base release as long as that
  /// has a quota, then the others in their order. Requires: copies that were counted, no more than `available`.
  @inline(__always)
  mutating func take(_ count: Int) -> Int {
    if quotas[current] == 0 {
      current = 0
      while quotas[current] == 0 { current += 1 }
    }
    quotas[current] -= count
    return key.preferences[current]
  }

  /// How many copies the provider that comes next may get.
  var available: Int { quotas[current] > 0 ? quotas[current] : quotas.first { $0 > 0 } ?? 0 }
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
