internal import CallDirectory

/// Decides who has which place of the providers that are filled by score (`FillRule.score`), exactly, without holding the
/// entries: keys are counted in cells, walk by walk in finer ones where places run out, until every cut lies between two.
///
/// Entries that a provider is the first to claim compete for its places, family by family. What they may have of each
/// place and how many of them have to go elsewhere is what the allocation gave them; only who does is decided here.
///
/// 1. Entries without a place are seated: copy by copy, by value, among all that compete for it, and where nobody further
///    down comes in after them.
/// 2. Then, copy by copy, whoever sits further down comes in if it is higher by more than the margin than one that sits
///    there, and where there is not room for both, that one yields. Those that lost their place come before others in
///    what is free further down.
///
/// So nobody moves into a place only because it is free, nobody yields to an entry that is not higher by the margin, and the same
/// entries once more come to the same places. Over 400 lines because seating, yielding and the walks that narrow the cells
/// down are steps over the same pools.
struct ScoreFill {
  /// Entries that compete for the same places.
  private struct Pool {
    /// Positions in the list of shares.
    var shares: [Int]
    /// By place: how many of the pool it may have.
    var capacities: [Int]
    /// How many may go elsewhere.
    var elsewhere: Int
    /// What the scores of those that have a place count for there.
    var factor: Double
  }

  /// Ranks of one share, from 0 for the highest key.
  private struct Segment {
    var share: Int
    var ranks: Range<Int>
    /// Whether they have the place that is competed for.
    var holds: Bool
  }

  /// By share: how many leading preferences are places filled by score; 0 for shares that do not compete.
  let placeCount: [Int]
  /// By share and place: how many get it.
  private(set) var accepted: [[Int]]

  private let shares: [PlacementShare]
  private var pools: [Pool] = []
  private var cells: [ScoreCells]
  /// By pool share: cells that have to be split, by their positions.
  private var critical: [Int: Set<Int>] = [:]

  /// The contest among `shares`, whose quotas are an allocation within `limits`; nil when nobody competes: there are no such
  /// providers, or they have room for all. `isSplit`: only entries with all places in common compete, so that
  /// what is left over fits elsewhere in any case.
  init?(
    _ shares: [PlacementShare], _ layout: ProviderLayout, limits: [Int], isSplit: Bool
  ) {
    self.shares = shares
    accepted = shares.map { _ in [] }
    var used = Array(repeating: 0, count: limits.count)
    for share in shares {
      for (place, quota) in zip(share.key.preferences, share.quotas) where place >= 0 { used[place] += quota }
    }
    var placeCount = Array(repeating: 0, count: shares.count)
    var members: [[Int]] = []
    var index: [PlacementShare.Key: Int] = [:]
    for (share, entry) in shares.enumerated() where entry.count > 0 {
      guard let first = entry.key.preferences.first, first >= 0 else { continue }
      let item = layout.providers[first].item
      guard layout.items[item].fillBy == .score else { continue }
      placeCount[share] = layout.positions(of: item).count
      var key = entry.key
      key.stay = nil
      if !isSplit { key.preferences = [first] }
      if let pool = index[key] {
        members[pool].append(share)
      } else {
        index[key] = members.count
        members.append([share])
      }
    }
    self.placeCount = placeCount
    cells = shares.map { ScoreCells(count: $0.count) }
    /// What nobody has may be had by labels: blocks have had their choice.
    func takesFree(_ share: Int) -> Bool { shares[share].key.family == .identification && !isSplit }
    func quotaElsewhere(_ members: [Int], _ places: Int) -> Int {
      members.reduce(0) { sum, share in sum + shares[share].quotas.dropFirst(places).reduce(0, +) }
    }
    /// How many may go elsewhere at most, beside all that others have; takes that room.
    func takeElsewhere(_ members: [Int], _ places: Int) -> Int {
      var (rest, room) = ([PlacementShare](), zip(limits, used).map { $0 - $1 })
      for share in members {
        for (place, quota) in zip(shares[share].key.preferences, shares[share].quotas).dropFirst(places)
        where place >= 0 { room[place] += quota }
        if let left = shares[share].behind(places, count: shares[share].count) { rest.append(left) }
      }
      let missing = Allocation.allocate(&rest, limits: room)
      for share in members {
        for (place, quota) in zip(shares[share].key.preferences, shares[share].quotas).dropFirst(places)
        where place >= 0 { used[place] -= quota }
      }
      for share in rest {
        for (place, quota) in zip(share.key.preferences, share.quotas) where place >= 0 { used[place] += quota }
      }
      return zip(rest, missing).reduce(0) { $0 + $1.0.count - $1.1 }
    }
    for members in members {
      let places = placeCount[members[0]]
      var pool = Pool(shares: members, capacities: [], elsewhere: 0, factor: 1)
      for place in 0..<places {
        let position = shares[members[0]].key.preferences[place]
        let own = members.reduce(0) { $0 + shares[$1].quotas[place] }
        pool.capacities.append(own + (takesFree(members[0]) ? limits[position] - used[position] : 0))
      }
      pool.elsewhere = takesFree(members[0]) ? takeElsewhere(members, places) : quotaElsewhere(members, places)
      let margin = layout.items[layout.providers[shares[members[0]].key.preferences[0]].item].fillMargin
      // 0.15 is not exact in binary: what is higher by just that is not higher by more.
      pool.factor = margin > 0 ? (1 + margin) * (1 + 1e-12) : 1
      let total = members.reduce(0) { $0 + shares[$1].count }
      let isSettled = members.allSatisfy { shares[$0].key.stay.map { $0 == 0 } ?? true } && total <= pool.capacities[0]
      if isSettled {
        for share in members {
          accepted[share] = [shares[share].count] + Array(repeating: 0, count: places - 1)
        }
      } else {
        pools.append(pool)
      }
    }
    guard !pools.isEmpty else { return nil }
    let open = pools.flatMap(\.shares)
    for share in open { cells[share].openAll(buckets: min(4096, max(64, (1 << 18) / open.count))) }
  }

  /// Notes an entry of a share.
  @inline(__always)
  mutating func add(_ share: Int, _ key: UInt128) { cells[share].add(key) }

  /// Notes an entry of a share for each of consecutive keys.
  mutating func add(_ share: Int, _ keys: ClosedRange<UInt128>) { cells[share].add(keys) }

  /// Takes in what a walk over all entries noted; true when every cut is known.
  mutating func narrow() -> Bool {
    for pool in pools { for share in pool.shares { cells[share].close() } }
    critical = [:]
    for pool in pools { settle(pool) }
    let count = critical.values.reduce(0) { $0 + $1.count }
    for (share, found) in critical { cells[share].open(found, buckets: max(16, (1 << 16) / count)) }
    return critical.isEmpty
  }

  /// By share and place: the least key that gets the place, above all keys where none does. Requires: every cut is known.
  func levels(of share: Int) -> [UInt128] {
    var rank = 0
    return accepted[share].map { count in
      rank += count
      return count == 0 ? .max : cells[share].isOpenEnded ? 0 : cells[share].leastKey(ofTop: rank)
    }
  }

  // MARK: The contest

  private mutating func settle(_ pool: Pool) {
    var seats = seat(pool)
    var result = contest(pool, seats)
    // Too few may go elsewhere: more of the newcomers are seated, the nearest free places first.
    if result.left > pool.elsewhere {
      seatMore(pool, &seats, result)
      result = contest(pool, seats)
    }
    if result.left > pool.elsewhere { result = fill(pool) }
    // Seats may end at ranks that nobody has looked at.
    for (index, share) in pool.shares.enumerated() {
      for rank in seats[index] {
        if let cell = cells[share].cell(across: rank) { critical[share, default: []].insert(cell) }
      }
    }
    for (index, share) in pool.shares.enumerated() { accepted[share] = result.accepted[index] }
  }

  /// By share of the pool and place.
  private struct Outcome {
    var accepted: [[Int]]
    var left: Int
  }

  private func count(_ pool: Pool, _ index: Int) -> Int { shares[pool.shares[index]].count }

  private func stay(_ pool: Pool, _ index: Int) -> Int? { shares[pool.shares[index]].key.stay }

  /// Every place gets the best of all that are left, as far as it has room.
  private mutating func fill(_ pool: Pool) -> Outcome {
    var outcome = Outcome(accepted: pool.shares.map { _ in [] }, left: 0)
    var next = Array(repeating: 0, count: pool.shares.count)
    for (place, capacity) in pool.capacities.enumerated() {
      let segments = pool.shares.indices.map { index in
        Segment(
          share: pool.shares[index], ranks: next[index]..<count(pool, index), holds: stay(pool, index) == place)
      }
      for (index, taken) in top(capacity, segments, pool.factor).enumerated() {
        outcome.accepted[index].append(taken)
        next[index] += taken
      }
    }
    outcome.left = pool.shares.indices.reduce(0) { $0 + count(pool, $1) - next[$1] }
    return outcome
  }

  /// By share and place: how many of the entries without a place are seated up to there. Nobody is seated where one who sits
  /// further down would come in after it, unless that one would come in anyway.
  private mutating func seat(_ pool: Pool) -> [[Int]] {
    let ideal = fill(pool).accepted
    var seats = pool.shares.map { _ in [Int]() }
    var sums = Array(repeating: 0, count: pool.shares.count)
    for place in pool.capacities.indices {
      let welcome = welcome(pool, to: place)
      for index in pool.shares.indices where stay(pool, index) == nil {
        sums[index] += ideal[index][place]
        let seated = welcome.map { min(sums[index], $0[index]) } ?? sums[index]
        seats[index].append(max(seated, seats[index].last ?? 0))
      }
    }
    return seats
  }

  /// By share: how many newcomers are above all who were further down, or one who was here; nil where nobody was.
  private mutating func welcome(_ pool: Pool, to place: Int) -> [Int]? {
    func segments(holds: Bool, _ isIn: (Int?) -> Bool) -> [Segment] {
      pool.shares.indices.map { index in
        let ranks = 0..<(isIn(stay(pool, index)) ? count(pool, index) : 0)
        return Segment(share: pool.shares[index], ranks: ranks, holds: holds)
      }
    }
    let here = segments(holds: false) { $0 == place }
    let below = segments(holds: false) { $0.map { $0 > place } ?? false }
    let new = segments(holds: false) { $0 == nil }
    let newHere = segments(holds: true) { $0 == nil }
    guard let better = higher(new, than: here, isLeast: true, pool.factor) else { return nil }
    guard let safe = higher(newHere, than: below, isLeast: false, pool.factor) else { return nil }
    return zip(better, safe).map { max($0, $1) }
  }

  private mutating func seatMore(_ pool: Pool, _ seats: inout [[Int]], _ outcome: Outcome) {
    var more = outcome.left - pool.elsewhere
    for place in pool.capacities.indices.reversed() {
      let free = pool.capacities[place] - outcome.accepted.reduce(0) { $0 + $1[place] }
      let wanted = min(more, free)
      if wanted <= 0 { continue }
      // The best of those that sit further down or nowhere move up a seat.
      let segments = pool.shares.indices.map { index in
        let seated = stay(pool, index) == nil ? seats[index][place] : count(pool, index)
        return Segment(share: pool.shares[index], ranks: seated..<count(pool, index), holds: false)
      }
      for (index, taken) in top(wanted, segments, pool.factor).enumerated() where taken > 0 {
        for later in place..<pool.capacities.count {
          seats[index][later] = min(seats[index][later] + taken, count(pool, index))
        }
      }
      more -= wanted
    }
  }

  private mutating func contest(_ pool: Pool, _ seats: [[Int]]) -> Outcome {
    var outcome = Outcome(accepted: pool.shares.map { _ in [] }, left: 0)
    var next = Array(repeating: 0, count: pool.shares.count)
    for (place, capacity) in pool.capacities.enumerated() {
      // Those who sit here and those who lost their place before, then those who sit further down or elsewhere.
      var here: [Segment] = []
      var others: [Segment] = []
      for index in pool.shares.indices {
        let (share, rest) = (pool.shares[index], next[index]..<count(pool, index))
        let stay = stay(pool, index)
        let seated =
          stay.map { $0 <= place ? rest.upperBound : rest.lowerBound } ?? max(seats[index][place], rest.lowerBound)
        here.append(Segment(share: share, ranks: rest.lowerBound..<seated, holds: stay == place))
        others.append(Segment(share: share, ranks: seated..<rest.upperBound, holds: false))
      }
      for (index, kept) in top(capacity, here, pool.factor).enumerated() {
        here[index].ranks = here[index].ranks.lowerBound..<here[index].ranks.lowerBound + kept
      }
      // Whoever would beat one of them comes in; they yield where there is not room for both.
      let rivals = higher(others, than: seated(here, pool), isLeast: true, pool.factor)
      for index in others.indices {
        let first = others[index].ranks.lowerBound
        others[index].ranks = first..<first + (rivals?[index] ?? 0)
      }
      let winners = top(capacity, here + others, pool.factor)
      for index in pool.shares.indices {
        let taken = winners[index] + winners[here.count + index]
        outcome.accepted[index].append(taken)
        next[index] += taken
      }
    }
    outcome.left = pool.shares.indices.reduce(0) { $0 + count(pool, $1) - next[$1] }
    return outcome
  }

  /// Segments of which those who are seated have the place, newcomers too: what the others have to beat.
  private func seated(_ here: [Segment], _ pool: Pool) -> [Segment] {
    here.enumerated().map { index, segment in
      var segment = segment
      segment.holds = segment.holds || stay(pool, index) == nil
      return segment
    }
  }

  // MARK: Cells

  /// How many of each of `segments` are higher than the least or the greatest of `rivals`; nil where there are none.
  private mutating func higher(
    _ segments: [Segment], than rivals: [Segment], isLeast: Bool, _ factor: Double
  ) -> [Int]? {
    let singles = rivals.filter { !$0.ranks.isEmpty }.map { rival in
      var single = rival
      single.ranks =
        isLeast
        ? rival.ranks.upperBound - 1..<rival.ranks.upperBound : rival.ranks.lowerBound..<rival.ranks.lowerBound + 1
      return single
    }
    let ends = items(of: singles, factor)
    let (lows, highs) = (ends.map(\.low), ends.map(\.high))
    guard let low = isLeast ? lows.min() : lows.max(), let high = isLeast ? highs.min() : highs.max() else {
      return nil
    }
    var counts = Array(repeating: 0, count: segments.count)
    var isOpen = false
    for item in items(of: segments, factor) where item.high > low {
      counts[item.segment] += item.count
      // It may lie within the cell, or in one that the cell lies across.
      guard item.low <= high else { continue }
      isOpen = isOpen || item.low < item.high || low < high
      mark(item, segments)
    }
    if isOpen { for end in ends where isLeast ? end.low <= high : end.high >= low { mark(end, singles) } }
    return counts
  }

  private mutating func mark(_ item: Item, _ segments: [Segment]) {
    if item.low < item.high { critical[segments[item.segment].share, default: []].insert(item.cell) }
  }

  private func items(of segments: [Segment], _ factor: Double) -> [Item] {
    var items: [Item] = []
    for (index, segment) in segments.enumerated() {
      cells[segment.share].forEach(in: segment.ranks) { cell, count, least, greatest in
        items.append(
          Item(
            segment: index, cell: cell, count: count,
            low: ScoreKey.competing(least, holds: segment.holds, factor: factor),
            high: ScoreKey.competing(greatest, holds: segment.holds, factor: factor)))
      }
    }
    return items
  }

  /// A cell of a segment, with the keys by which it competes.
  private struct Item {
    var segment: Int
    var cell: Int
    var count: Int
    var low: UInt128
    var high: UInt128
  }

  /// How many of each segment are among the `count` highest. Where cells lie across the cut it is a guess, and they become critical.
  private mutating func top(_ count: Int, _ segments: [Segment], _ factor: Double) -> [Int] {
    let total = segments.reduce(0) { $0 + $1.ranks.count }
    if count >= total { return segments.map(\.ranks.count) }
    var taken = Array(repeating: 0, count: segments.count)
    if count <= 0 { return taken }
    var items = items(of: segments, factor)
    items.sort { ($0.high, $0.low, $1.segment) > ($1.high, $1.low, $0.segment) }
    let highs = Ladder(items.map { ($0.high, $0.count) })
    let lows = Ladder(items.sorted { $0.low > $1.low }.map { ($0.low, $0.count) })
    var seats = count
    var undecided: [Item] = []
    for item in items {
      if highs.sum(from: item.low) <= count {
        taken[item.segment] += item.count
        seats -= item.count
      } else if lows.sum(above: item.high) < count {
        undecided.append(item)
      }
    }
    for item in undecided {
      let part = min(item.count, max(seats, 0))
      taken[item.segment] += part
      seats -= part
      mark(item, segments)
    }
    return taken
  }

  /// Counts by descending key.
  private struct Ladder {
    private let keys: [UInt128]
    private let sums: [Int]

    init(_ steps: [(key: UInt128, count: Int)]) {
      keys = steps.map(\.key)
      var sum = 0
      sums =
        [0]
        + steps.map { step in
          sum += step.count
          return sum
        }
    }

    func sum(from key: UInt128) -> Int { sums[firstIndex { $0 < key }] }

    func sum(above key: UInt128) -> Int { sums[firstIndex { $0 <= key }] }

    private func firstIndex(_ isBehind: (UInt128) -> Bool) -> Int {
      var (low, high) = (0, keys.count)
      while low < high {
        let middle = low + (high - low) / 2
        if isBehind(keys[middle]) { high = middle } else { low = middle + 1 }
      }
      return low
    }
  }
}
