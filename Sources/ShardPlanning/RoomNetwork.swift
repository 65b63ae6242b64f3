/// Which shares of entries fit into the providers together: a flow that grows by augmenting paths, without regard to preference.
/// What has been taken in stays in, though perhaps elsewhere.
struct RoomNetwork {
  private let places: [[Int]]
  private var room: [Int]
  /// By share and preference: what is there.
  private var flow: [[Int]]
  /// By position: the shares that may be there, each with the index of its preference.
  private let users: [[(share: Int, preference: Int)]]

  /// A network in which nothing is placed.
  init(_ shares: [PlacementShare], limits: [Int]) {
    // Whatever is held already needs no room: a place behind all others.
    let free = limits.count
    places = shares.map { $0.key.preferences.map { $0 == PlacementShare.heldAlready ? free : $0 } }
    room = limits + [Int.max / 4]
    flow = places.map { Array(repeating: 0, count: $0.count) }
    var users = Array(repeating: [(share: Int, preference: Int)](), count: limits.count + 1)
    for (share, places) in places.enumerated() {
      for (preference, place) in places.enumerated() { users[place].append((share, preference)) }
    }
    self.users = users
  }

  /// Takes in up to `count` more of a share; returns how many found room.
  mutating func add(_ share: Int, _ count: Int) -> Int {
    var left = count
    while left > 0 {
      let placed = augment(share, left)
      if placed == 0 { break }
      left -= placed
    }
    return count - left
  }

  /// The shares whose entries could be exchanged for one of `start`, those included.
  func exchangeable(with start: [Int]) -> Set<Int> { Set(search(start, stopsAtRoom: false).reached) }

  /// One path: along it each share hands a place on.
  private mutating func augment(_ share: Int, _ most: Int) -> Int {
    let (end, via, from, _) = search([share], stopsAtRoom: true)
    guard let end else { return 0 }
    // From the free place back: (share, preference it takes up, preference it gives up before that).
    var steps: [(share: Int, preference: Int)] = []
    var place = end
    while true {
      guard let step = via[place] else { return 0 }
      steps.append(step)
      guard let previous = from[step.share] else { break }
      steps.append((step.share, previous))
      place = places[step.share][previous]
    }
    var amount = min(most, room[end])
    for index in stride(from: 1, to: steps.count, by: 2) {
      amount = min(amount, flow[steps[index].share][steps[index].preference])
    }
    for (index, step) in steps.enumerated() {
      flow[step.share][step.preference] += index & 1 == 0 ? amount : -amount
    }
    room[end] -= amount
    return amount
  }

  /// Breadth first. `via`: by place, the share through which it was reached and that share's preference for it. `from`: by
  /// share, the preference that it would give up.
  private func search(
    _ start: [Int], stopsAtRoom: Bool
  ) -> (end: Int?, via: [(share: Int, preference: Int)?], from: [Int?], reached: [Int]) {
    var via = [(share: Int, preference: Int)?](repeating: nil, count: room.count)
    var from = [Int?](repeating: nil, count: places.count)
    var isReached = [Bool](repeating: false, count: places.count)
    var queue = start
    for share in start { isReached[share] = true }
    var head = 0
    while head < queue.count {
      let share = queue[head]
      head += 1
      for (preference, place) in places[share].enumerated() where via[place] == nil {
        via[place] = (share, preference)
        if stopsAtRoom, room[place] > 0 { return (place, via, from, queue) }
        for user in users[place] where !isReached[user.share] && flow[user.share][user.preference] > 0 {
          isReached[user.share] = true
          from[user.share] = user.preference
          queue.append(user.share)
        }
      }
    }
    return (nil, via, from, queue)
  }
}
