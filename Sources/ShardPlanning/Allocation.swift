internal import CallDirectory

/// Shares the providers' room out: a minimum-cost flow from shares to providers. So an allocation within all limits is found
/// whenever there is one; as few labels as possible stay without a place, then as few entries as possible leave the
/// place they have in the base release, then as few as possible are away from their first claimant, and blocks are the
/// last to go without. (Under `keep` two copies of one entry that spill to one provider are counted as two places, though they
/// become one entry: on the safe side.)
///
/// Successive shortest paths (Bellman–Ford) over a graph of shares × providers; the work depends on the plan, not on the
/// number of entries.
struct Allocation {
  private struct Edge {
    var target: Int
    var room: Int
    var cost: Int
  }

  /// What one rank costs: blocks are placed first, so no saving on labels may push one away from its claimant.
  private static func costOfRank(_ family: EntryFamily) -> Int { family == .blocking ? 1_000 : 1 }

  /// What leaving the place in the base release costs: above any sum of ranks along a path.
  private static func costOfMove(_ family: EntryFamily) -> Int {
    family == .blocking ? 10_010_000_000 : 10_000_000_000
  }

  /// What going without a place costs: far above any sum of moves along a path, so that it is the last resort.
  private static func costOfUnplaced(_ key: PlacementShare.Key) -> Int {
    if key.family == .blocking { return 1_000_000_000_000_000_000 }
    return key.mayBeDropped ? 100_000_000_000_000 : 10_000_000_000_000_000
  }

  private var edges: [Edge] = []
  /// By node: indices of the edges that leave it; an edge's reverse is `index ^ 1`.
  private var leaving: [[Int]]
  private let source = 0
  private let sink = 1

  /// Fills in the quotas of every share; returns, by share, how many copies found no place.
  static func allocate(_ shares: inout [PlacementShare], limits: [Int]) -> [Int] {
    if allocateFirstChoices(&shares, limits: limits) { return Array(repeating: 0, count: shares.count) }
    var allocation = Allocation(nodes: 2 + limits.count + shares.count)
    for (position, limit) in limits.enumerated() {
      allocation.connect(2 + position, allocation.sink, room: limit, cost: 0)
    }
    var places: [(edges: [Int], unplaced: Int)] = []
    for (index, share) in shares.enumerated() {
      let node = 2 + limits.count + index
      let key = share.key
      allocation.connect(allocation.source, node, room: share.count, cost: 0)
      let edges = key.preferences.enumerated().map { rank, provider in
        let cost = rank * costOfRank(key.family) + (key.stay == nil ? 0 : costOfMove(key.family))
        return allocation.connect(
          node, provider == PlacementShare.heldAlready ? allocation.sink : 2 + provider, room: share.count,
          cost: rank == key.stay ? 0 : cost)
      }
      let unplaced = allocation.connect(node, allocation.sink, room: share.count, cost: costOfUnplaced(key))
      places.append((edges, unplaced))
    }
    allocation.run()
    for (index, place) in places.enumerated() {
      shares[index].quotas = place.edges.map { allocation.edges[$0 ^ 1].room }
    }
    return places.map { allocation.edges[$0.unplaced ^ 1].room }
  }

  /// Gives every copy its first choice; false when that is beyond a limit.
  private static func allocateFirstChoices(_ shares: inout [PlacementShare], limits: [Int]) -> Bool {
    var load = Array(repeating: 0, count: limits.count)
    for share in shares {
      let place = share.key.preferences[share.key.stay ?? 0]
      if place != PlacementShare.heldAlready { load[place] += share.count }
    }
    guard zip(load, limits).allSatisfy({ $0 <= $1 }) else { return false }
    for index in shares.indices {
      shares[index].quotas = Array(repeating: 0, count: shares[index].key.preferences.count)
      shares[index].quotas[shares[index].key.stay ?? 0] = shares[index].count
    }
    return true
  }

  private init(nodes: Int) { leaving = Array(repeating: [], count: nodes) }

  @discardableResult
  private mutating func connect(_ from: Int, _ to: Int, room: Int, cost: Int) -> Int {
    let index = edges.count
    edges.append(Edge(target: to, room: room, cost: cost))
    edges.append(Edge(target: from, room: 0, cost: -cost))
    leaving[from].append(index)
    leaving[to].append(index + 1)
    return index
  }

  private mutating func run() {
    while let path = cheapestPath() {
      let amount = path.reduce(Int.max) { min($0, edges[$1].room) }
      for edge in path {
        edges[edge].room -= amount
        edges[edge ^ 1].room += amount
      }
    }
  }

  /// The edges of the cheapest way from source to sink that has room, or nil when there is none.
  private func cheapestPath() -> [Int]? {
    var cost = [Int](repeating: .max, count: leaving.count)
    var arrival = [Int](repeating: -1, count: leaving.count)
    var queued = [Bool](repeating: false, count: leaving.count)
    var queue = [source]
    var head = 0
    cost[source] = 0
    while head < queue.count {
      let node = queue[head]
      head += 1
      queued[node] = false
      for index in leaving[node] where edges[index].room > 0 {
        let edge = edges[index]
        guard cost[node] + edge.cost < cost[edge.target] else { continue }
        cost[edge.target] = cost[node] + edge.cost
        arrival[edge.target] = index
        if !queued[edge.target] {
          queued[edge.target] = true
          queue.append(edge.target)
        }
      }
    }
    guard arrival[sink] >= 0 else { return nil }
    var path: [Int] = []
    var node = sink
    while node != source {
      path.append(arrival[node])
      node = edges[arrival[node] ^ 1].target
    }
    return path
  }
}
