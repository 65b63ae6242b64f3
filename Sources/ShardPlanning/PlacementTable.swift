internal import CallDirectory

/// The classes of a plan with their places: which providers each may go to, in which order, and what has been shared out.
struct PlacementTable: Sendable {
  let layout: ProviderLayout
  var classes: [PlacementClass] = []
  var shares: [PlacementShare] = []
  /// See `ScoreFill.init`.
  var isSplit = false

  private let rules: PlanningRules
  private let segments: NumberSegments
  private let spill: SpillChains
  /// By provider: how many entries it would have if each went where it was or is at home.
  private var wanted: [Int]
  /// By item: positions of its providers, those with most room first.
  private var roomiest: [[Int]] = []
  /// By place in the base release: the provider of that name, nil when it is gone.
  private let positionOfPlace: [Int?]
  private var shareIndex: [PlacementShare.Key: Int] = [:]

  /// The table of classes with `keys`, of which there are `counts` entries.
  init(
    _ rules: PlanningRules, _ matcher: ClaimMatcher, _ layout: ProviderLayout, _ segments: NumberSegments,
    _ keys: [EntryKey], _ counts: [Int]
  ) {
    self.rules = rules
    self.layout = layout
    self.segments = segments
    spill = SpillChains(rules.providers)
    wanted = Array(repeating: 0, count: layout.providers.count)
    positionOfPlace = rules.base.providers.prefix(PlaceSet.capacity).map { id in
      layout.providers.firstIndex { $0.id == id }
    }
    for (key, count) in zip(keys, counts) {
      for wish in wishes(key, matcher.claimants(key.set), matcher) {
        if let first = wish.places.first { wanted[wish.stay.map { wish.places[$0] } ?? first] += count }
      }
    }
    roomiest = layout.items.indices.map { item in
      layout.positions(of: item).sorted { (room($0), $1) > (room($1), $0) }
    }
    for (key, count) in zip(keys, counts) { add(key, count, matcher) }
  }

  private func room(_ position: Int) -> Int { layout.room(position) - wanted[position] }

  /// A copy that needs a place.
  private struct Wish {
    /// Positions of providers, best first.
    var places: [Int]
    /// The index of the one that holds it in the base release.
    var stay: Int?
    var mayBeDropped: Bool
    /// The claimant whose sources are preferred for the label, under `keep`.
    var owner: Int?
  }

  private mutating func add(_ key: EntryKey, _ count: Int, _ matcher: borrowing ClaimMatcher) {
    let claimants = matcher.claimants(key.set)
    var copies: [PlacementClass.Copy] = []
    for wish in wishes(key, claimants, matcher) {
      let shareKey = PlacementShare.Key(
        family: key.family, mayBeDropped: wish.mayBeDropped, preferences: wish.places, stay: wish.stay)
      let share = shareIndex[shareKey] ?? shares.count
      if share == shares.count {
        shares.append(PlacementShare(shareKey))
        shareIndex[shareKey] = share
      }
      shares[share].count += count
      copies.append(
        PlacementClass.Copy(
          share: share, home: wish.places[0], ownSources: wish.owner.flatMap { matcher.ownSources(of: $0, key.set) }))
    }
    classes.append(
      PlacementClass(
        family: key.family, claimants: claimants, copies: copies, count: count,
        isDropped: copies.isEmpty && !claimants.isEmpty))
  }

  private func wishes(_ key: EntryKey, _ allClaimants: [Int], _ matcher: borrowing ClaimMatcher) -> [Wish] {
    let claimants = allClaimants.filter { mayHold($0, key) }
    guard !claimants.isEmpty else { return [] }
    switch rules.overlaps {
    case .collapse:
      return [wish(claimants + spill.chain(after: claimants), key, claimant: claimants[0])]
    case .keep:
      return claimants.map { claimant in
        // A claimant down the chain holds the entry already, and the chain never comes back, so one copy is placed. One that
        // may drop it does not answer for a claimant that may not.
        var items = [claimant]
        let mayBeDropped = self.mayBeDropped(key, claimant)
        for target in spill.chain(after: [claimant]) {
          let isHeld = claimants.contains(target) && (mayBeDropped || !self.mayBeDropped(key, target))
          items.append(isHeld ? PlacementShare.heldAlready : target)
          if items.last == PlacementShare.heldAlready { break }
        }
        var wish = wish(items, key, claimant: claimant)
        wish.owner = claimant
        return wish
      }
    }
  }

  /// Whether the entries of `item` may be of this kind.
  private func mayHold(_ item: Int, _ key: EntryKey) -> Bool {
    !key.isOfBlocked || !rules.providers[item].dropsLabelsOfBlocked
  }

  private func wish(_ items: [Int], _ key: EntryKey, claimant: Int) -> Wish {
    var places: [Int] = []
    for item in items where item == PlacementShare.heldAlready || mayHold(item, key) {
      guard item != PlacementShare.heldAlready else {
        places.append(item)
        continue
      }
      if layout.items[item].fillBy == .score {
        // One after the other, whatever their numbers and room.
        places.append(contentsOf: layout.positions(of: item))
        continue
      }
      let home = layout.home(item, key.segment, segments)
      places.append(home)
      let others = roomiest.isEmpty ? Array(layout.positions(of: item)) : roomiest[item]
      for position in others where position != home { places.append(position) }
    }
    return Wish(
      places: places, stay: stay(places, key.held), mayBeDropped: mayBeDropped(key, claimant), owner: nil)
  }

  /// Whether a copy that `claimant` asks for may be left out when there is no room.
  private func mayBeDropped(_ key: EntryKey, _ claimant: Int) -> Bool {
    key.family == .identification && rules.providers[claimant].excess == .dropLowestScore
  }

  private func stay(_ places: [Int], _ held: PlaceSet) -> Int? {
    guard !held.isEmpty else { return nil }
    var best: Int?
    for (place, position) in positionOfPlace.enumerated() where held.contains(place) {
      guard let position, let index = places.firstIndex(of: position) else { continue }
      best = min(best ?? index, index)
    }
    return best
  }
}
