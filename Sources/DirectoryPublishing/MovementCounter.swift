internal import CallDirectory
internal import ShardPlanning

/// Counts entries that left one provider for another since the base release.
///
/// Of each number and family as many count as providers lost it while others gained it: a further copy is no move, nor is a
/// copy that goes while another stays.
struct MovementCounter {
  /// Entries that moved so far.
  private(set) var moved = 0
  /// By provider: its place in the base release, or -1.
  private let places: [Int]
  /// How many providers have each number at hand now, and have it in both.
  private var now = EntryCounts()
  private var stayed = EntryCounts()

  /// A counter for `providers` against `base`.
  init(_ base: ReleaseManifest?, providers: [ProviderID]) {
    let before = (base?.providers ?? []).prefix(PlaceSet.capacity).map(\.id)
    places = providers.map { before.firstIndex(of: $0) ?? -1 }
  }

  /// Takes what the provider at this position gets of each of the numbers at hand. Requires: once for each provider.
  @inline(__always)
  mutating func take(_ provider: Int, _ run: EntryRun, _ held: HeldPlaces) {
    let place = places[provider]
    if run.entry.isBlocked {
      now.blocking += 1
      if place >= 0, held.blocking.contains(place) { stayed.blocking += 1 }
    }
    if run.entry.label != nil {
      now.identification += 1
      if place >= 0, held.identification.contains(place) { stayed.identification += 1 }
    }
  }

  /// Counts the `count` numbers at hand, which were at the same places and are so now.
  @inline(__always)
  mutating func end(_ held: HeldPlaces, count: Int) {
    if !held.isEmpty { add(held, count: count) }
    now = EntryCounts()
    stayed = EntryCounts()
  }

  // By itself: places would be counted for new numbers too.
  @inline(never)
  private mutating func add(_ held: HeldPlaces, count: Int) {
    moved += count * min(held.blocking.count - stayed.blocking, now.blocking - stayed.blocking)
    moved += count * min(held.identification.count - stayed.identification, now.identification - stayed.identification)
  }
}
