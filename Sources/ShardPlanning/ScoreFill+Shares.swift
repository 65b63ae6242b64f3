extension ScoreFill {
  /// The shares with who gets which place, and quotas for those that go elsewhere; nil when these do not fit there. Requires:
  /// every cut is known.
  func settled(_ shares: [PlacementShare], limits: [Int]) -> [PlacementShare]? {
    var limits = limits
    var rest: [PlacementShare] = []
    var origin: [Int] = []
    for (index, share) in shares.enumerated() {
      let places = placeCount[index]
      for (place, count) in accepted[index].enumerated() { limits[share.key.preferences[place]] -= count }
      let count = share.count - accepted[index].reduce(0, +)
      guard count > 0 else { continue }
      guard let left = share.behind(places, count: count) else { return nil }
      rest.append(left)
      origin.append(index)
    }
    guard limits.allSatisfy({ $0 >= 0 }) else { return nil }
    guard Allocation.allocate(&rest, limits: limits).allSatisfy({ $0 == 0 }) else { return nil }
    var result = shares
    for index in shares.indices where placeCount[index] > 0 {
      result[index].levels = levels(of: index)
      result[index].quotas = Array(repeating: 0, count: shares[index].key.preferences.count)
    }
    for (share, index) in zip(rest, origin) {
      result[index].quotas.replaceSubrange(placeCount[index]..., with: share.quotas)
    }
    return result
  }
}

extension PlacementShare {
  /// `count` of these copies with the preferences behind the first `places`; nil where there are none.
  func behind(_ places: Int, count: Int) -> PlacementShare? {
    var key = key
    key.preferences = Array(key.preferences.dropFirst(places))
    key.stay = key.stay.flatMap { $0 >= places ? $0 - places : nil }
    guard !key.preferences.isEmpty else { return nil }
    var share = PlacementShare(key)
    share.count = count
    return share
  }

  /// The place of an entry among those that are filled by score: a preference; nil where it goes elsewhere.
  @inline(__always)
  func level(_ key: UInt128) -> Int? {
    for index in levels.indices where key >= levels[index] { return index }
    return nil
  }

  /// `take` for entries whose first places are filled by score.
  @inline(__always)
  mutating func take(_ count: Int, _ score: UInt128) -> Int {
    if let level = level(score) { return key.preferences[level] }
    return take(count)
  }
}
