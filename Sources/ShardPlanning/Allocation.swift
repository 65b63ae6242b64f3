internal import CallDirectory

/// Shares the providers' room out among the classes: a minimum-cost flow from copies to providers, where a place costs
/// its rank among the copy's preferences. So an allocation within all limits is found whenever there is one, as few
/// entries as possible are away from their first claimant, and blocks are the last to go without a place. (Under `keep` two
/// copies of one entry that spill to one provider are counted as two places, though they become one entry: on the safe side.)
///
/// Successive shortest paths (Bellman–Ford) over a graph of copies × providers; the work depends on the plan, not on the
/// number of entries.
struct Allocation {
  private struct Edge {
    var target: Int
    var room: Int
    var cost: Int
  }

  /// What one rank costs: blocks are placed first, so no saving on labels may push one away from its claimant.
  private static func costOfRank(_ family: EntryFamily) -> Int { family == .blocking ? 1_000 : 1 }

  /// What going without a place costs: far above any sum of ranks along a path, so that it is the last resort.
  private static func costOfUnplaced(_ family: EntryFamily) -> Int {
    family == .blocking ? 1_000_000_000_000 : 1_000_000_000
  }

  private var edges: [Edge] = []
  /// By node: indices of the edges that leave it; an edge's reverse is `index ^ 1`.
  private var leaving: [[Int]]
  private let source = 0
  private let sink = 1

  /// Fills in `quotas` of every copy; returns, by class and copy, how many found no place.
  static func allocate(_ classes: inout [PlacementClass], limits: [Int]) -> [[Int]] {
    var allocation = Allocation(nodes: 2 + limits.count + classes.reduce(0) { $0 + $1.copies.count })
    let firstCopy = 2 + limits.count
    for (position, limit) in limits.enumerated() {
      allocation.connect(2 + position, allocation.sink, room: limit, cost: 0)
    }
    var node = firstCopy
    var places: [(class: Int, copy: Int, edges: [Int], unplaced: Int)] = []
    for (index, entry) in classes.enumerated() {
      for (copyIndex, copy) in entry.copies.enumerated() {
        allocation.connect(allocation.source, node, room: entry.count, cost: 0)
        let edges = copy.preferences.enumerated().map { rank, provider in
          allocation.connect(
            node, provider == PlacementClass.heldAlready ? allocation.sink : 2 + provider, room: entry.count,
            cost: rank * costOfRank(entry.family))
        }
        let unplaced = allocation.connect(
          node, allocation.sink, room: entry.count, cost: costOfUnplaced(entry.family))
        places.append((index, copyIndex, edges, unplaced))
        node += 1
      }
    }
    allocation.run()
    var missing = classes.map { Array(repeating: 0, count: $0.copies.count) }
    for place in places {
      classes[place.class].copies[place.copy].quotas = place.edges.map { allocation.edges[$0 ^ 1].room }
      missing[place.class][place.copy] = allocation.edges[place.unplaced ^ 1].room
    }
    return missing
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
