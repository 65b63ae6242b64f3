/// Bins of areas, each with no more entries than the limit; entries that areas of a bin share count once in it.
struct PackedBins: Sendable {
  struct Bin: Sendable {
    var items: [Int] = []
    var load = 0
  }

  private(set) var bins: [Bin] = []
  let limit: Int

  private let sizes: AreaSizes
  /// By item: its bin, -1 where it is in none.
  private var place: [Int]
  /// What the search for fewer bins may still do.
  private var steps = Self.mostSteps

  // About a second's work.
  private static let mostSteps = 4_000_000
  /// From so many items on, not all packings are tried.
  private static let mostSearched = 40

  init(_ sizes: AreaSizes, limit: Int) {
    self.sizes = sizes
    self.limit = limit
    place = Array(repeating: -1, count: sizes.items.count)
  }

  /// By bin: how many entries more it could take.
  var room: [Int] { bins.map { limit - $0.load } }

  /// Packs `items`, largest first, each of which fits into a bin. Returns whether it is known that fewer bins would not do.
  mutating func pack(_ items: [Int]) -> Bool {
    let (bound, limit) = (bound(items), limit)
    fill(items) { bins, added in
      bins.indices.first { bins[$0].load + added[$0] <= limit }
    }
    let firstFit = self
    empty()
    fill(items) { bins, added in
      bins.indices.filter { bins[$0].load + added[$0] <= limit }.max { left, right in
        // The bin with which the item shares most, then the one that it fills most.
        (-added[left], bins[left].load, right) < (-added[right], bins[right].load, left)
      }
    }
    if firstFit.bins.count < bins.count { self = firstFit }
    while bins.count > bound, let fewer = withoutEmptiest() { self = fewer }
    var isProven = bins.count <= bound
    if !isProven, items.count <= Self.mostSearched {
      var search = PackingSearch(sizes, items, limit: limit, steps: steps)
      while bins.count > bound, let found = search.packing(into: bins.count - 1) {
        set(found)
      }
      isProven = bins.count <= bound || !search.isExhausted
    }
    spread(items)
    return isProven
  }

  // MARK: Filling

  /// Entries by which each bin would grow with an item.
  private func added(_ item: Int) -> [Int] {
    var added = Array(repeating: sizes.items[item].size, count: bins.count)
    for set in sizes.items[item].sets {
      for bin in binsHolding(set, but: item) { added[bin] -= sizes.sets[set].entries }
    }
    return added
  }

  /// Bins that hold an item of a set, `item` aside, each once.
  private func binsHolding(_ set: Int, but item: Int) -> [Int] {
    var found: [Int] = []
    for other in sizes.sets[set].items where other != item && place[other] >= 0 {
      if !found.contains(place[other]) { found.append(place[other]) }
    }
    return found
  }

  /// Puts each item into the bin that `choose` names among those there are, else into a new one.
  private mutating func fill(_ items: [Int], _ choose: (_ bins: [Bin], _ added: [Int]) -> Int?) {
    for item in items {
      let added = added(item)
      let bin = choose(bins, added) ?? bins.count
      if bin == bins.count { bins.append(Bin()) }
      put(item, bin, adding: bin < added.count ? added[bin] : sizes.items[item].size)
    }
  }

  private mutating func put(_ item: Int, _ bin: Int, adding entries: Int) {
    bins[bin].items.append(item)
    bins[bin].load += entries
    place[item] = bin
  }

  private mutating func empty() {
    bins = []
    for item in place.indices { place[item] = -1 }
  }

  /// Takes over a packing given as the bin of each item.
  private mutating func set(_ found: [(item: Int, bin: Int)]) {
    empty()
    bins = Array(repeating: Bin(), count: (found.map(\.bin).max() ?? -1) + 1)
    for (item, bin) in found { put(item, bin, adding: growth(bin, item)) }
  }

  /// Spreads the items evenly over as many bins, each to the one with most room, when that fits too: so that all have room to grow.
  private mutating func spread(_ items: [Int]) {
    var even = self
    even.empty()
    even.bins = Array(repeating: Bin(), count: bins.count)
    for item in items {
      let added = even.added(item)
      let least = even.bins.indices.min { (even.bins[$0].load + added[$0], $0) < (even.bins[$1].load + added[$1], $1) }
      guard let least, even.bins[least].load + added[least] <= limit else { return }
      even.put(item, least, adding: added[least])
    }
    self = even
  }

  // MARK: Improving

  /// The same items in one bin fewer: those of the emptiest bin move to others, where need be in exchange for smaller ones. Nil
  /// when that does not succeed.
  private mutating func withoutEmptiest() -> PackedBins? {
    guard bins.count > 1, let victim = bins.indices.min(by: { (bins[$0].load, $1) < (bins[$1].load, $0) }) else {
      return nil
    }
    var packed = self
    var moves = true
    while moves, packed.steps > 0 {
      moves = false
      for item in packed.bins[victim].items where packed.moveOut(item, of: victim) {
        moves = true
        break
      }
      if packed.bins[victim].items.isEmpty {
        packed.drop(victim)
        return packed
      }
    }
    steps = packed.steps
    return nil
  }

  /// Moves an item of `victim` to another bin as it is, or in exchange for an item that is smaller.
  private mutating func moveOut(_ item: Int, of victim: Int) -> Bool {
    let added = added(item)
    steps -= bins.count + sizes.items[item].sets.count
    if let bin = bins.indices.first(where: { $0 != victim && bins[$0].load + added[$0] <= limit }) {
      take(item)
      put(item, bin, adding: added[bin])
      return true
    }
    for bin in bins.indices where bin != victim {
      for other in bins[bin].items where sizes.items[other].size < sizes.items[item].size {
        steps -= 1
        if steps <= 0 { return false }
        if sizes.sets.isEmpty, bins[bin].load + sizes.items[item].size - sizes.items[other].size > limit { continue }
        // Where entries are shared, only the exchange itself tells.
        steps -= place.count / 16
        var trial = self
        trial.exchange(item, other, victim, bin)
        guard trial.bins[bin].load <= limit, trial.bins[victim].load < bins[victim].load else { continue }
        self = trial
        return true
      }
    }
    return false
  }

  private mutating func exchange(_ item: Int, _ other: Int, _ victim: Int, _ bin: Int) {
    take(item)
    take(other)
    put(item, bin, adding: growth(bin, item))
    put(other, victim, adding: growth(victim, other))
  }

  private func growth(_ bin: Int, _ item: Int) -> Int {
    var growth = sizes.items[item].size
    for set in sizes.items[item].sets
    where sizes.sets[set].items.contains(where: { $0 != item && place[$0] == bin }) {
      growth -= sizes.sets[set].entries
    }
    return growth
  }

  private mutating func take(_ item: Int) {
    let bin = place[item]
    place[item] = -1
    bins[bin].load -= growth(bin, item)
    bins[bin].items.removeAll { $0 == item }
  }

  private mutating func drop(_ bin: Int) {
    bins.remove(at: bin)
    for item in place.indices where place[item] > bin { place[item] -= 1 }
  }

  // MARK: Bounds

  /// Fewer bins than that cannot hold `items`.
  private func bound(_ items: [Int]) -> Int {
    var isPacked = Array(repeating: false, count: sizes.items.count)
    for item in items { isPacked[item] = true }
    var distinct = items.reduce(0) { $0 + sizes.items[$1].exclusive }
    for set in sizes.sets where set.items.contains(where: { isPacked[$0] }) { distinct += set.entries }
    return max((distinct + limit - 1) / limit, Self.lowerBound(items.map { sizes.items[$0].exclusive }, limit: limit))
  }

  /// L2 of Martello and Toth: for a threshold k, items above limit − k stand alone, those above half the limit stand apart, and those from
  /// k up can only go into the room that these leave. O(n log n).
  static func lowerBound(_ entries: [Int], limit: Int) -> Int {
    let sorted = entries.filter { $0 > 0 }.sorted(by: >)
    var sums = [0]
    for size in sorted { sums.append((sums.last ?? 0) + size) }
    /// How many sizes are above `value`.
    func above(_ value: Int) -> Int {
      var (low, high) = (0, sorted.count)
      while low < high {
        let middle = (low + high) / 2
        if sorted[middle] > value { low = middle + 1 } else { high = middle }
      }
      return low
    }
    let half = above(limit / 2)
    var best = half
    var last = -1
    for size in [0] + sorted[half...] where size != last {
      last = size
      let alone = above(limit - max(size, 0))
      let room = (half - alone) * limit - (sums[half] - sums[min(alone, half)])
      let small = size == 0 ? sums[sorted.count] - sums[half] : sums[above(size - 1)] - sums[half]
      best = max(best, half + max(0, (small - room + limit - 1) / limit))
    }
    return best
  }
}

/// Tries all packings of a few items into a given number of bins, depth first, larger items first.
struct PackingSearch {
  /// Whether it ended for want of steps, so that what it did not find may exist.
  private(set) var isExhausted = false

  private let sizes: AreaSizes
  private let items: [Int]
  private let limit: Int
  private var steps: Int
  /// By position in `items`: entries that only this item and those behind it have.
  private var left: [Int]
  private var place: [Int]
  private var loads: [Int] = []

  init(_ sizes: AreaSizes, _ items: [Int], limit: Int, steps: Int) {
    self.sizes = sizes
    self.items = items
    self.limit = limit
    self.steps = steps
    place = Array(repeating: -1, count: sizes.items.count)
    left = Array(repeating: 0, count: items.count + 1)
    for index in items.indices.reversed() { left[index] = left[index + 1] + sizes.items[items[index]].exclusive }
  }

  /// The bin of each item, when there is a packing into `count` bins.
  mutating func packing(into count: Int) -> [(item: Int, bin: Int)]? {
    loads = Array(repeating: 0, count: count)
    for item in place.indices { place[item] = -1 }
    guard !isExhausted, search(0, used: 0) else { return nil }
    return items.map { ($0, place[$0]) }
  }

  private mutating func search(_ index: Int, used: Int) -> Bool {
    guard index < items.count else { return true }
    let free = loads.reduce(0) { $0 + limit - $1 }
    guard left[index] <= free else { return false }
    let item = items[index]
    for bin in 0..<min(used + 1, loads.count) {
      // Without shared entries, bins with the same load are the same.
      if sizes.sets.isEmpty, loads[..<bin].contains(loads[bin]) { continue }
      steps -= 1
      if steps <= 0 {
        isExhausted = true
        return false
      }
      var added = sizes.items[item].size
      for set in sizes.items[item].sets where sizes.sets[set].items.contains(where: { $0 != item && place[$0] == bin })
      {
        added -= sizes.sets[set].entries
      }
      guard loads[bin] + added <= limit else { continue }
      loads[bin] += added
      place[item] = bin
      if search(index + 1, used: max(used, bin + 1)) { return true }
      loads[bin] -= added
      place[item] = -1
      if isExhausted { return false }
    }
    return false
  }
}
