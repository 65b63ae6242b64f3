/// Packs areas whole into as few providers as can be found, none with more entries than a limit.
///
/// Rows without area are packed like an area. What is larger than the limit gets one or more providers of its own, and what they
/// cannot hold is spilled into the room that others have, where that saves a provider. Entries of two areas count once in a
/// provider that has both.
///
/// First-fit and best-fit decreasing (at most 11/9 of the optimum and a part of one provider; Dósa 2007), improved by emptying the emptiest
/// provider with moves and exchanges, and for a few areas by a search through all packings; compared with the bound L2 of
/// Martello and Toth (1990). Every step is counted and their number bounded, so the result is the same on every machine and 20,000
/// areas take about a second at most.
public struct AreaPacking: Sendable {
  /// What one entry of the plan is to hold.
  public struct Part: Hashable, Sendable {
    /// Ids of the areas, ascending; 0 stands for rows without area.
    public var areas: [Int]
    /// Entries of these areas, each once: what the part needs when no other holds any of them.
    public var entries: Int
    /// How many providers share it; more than 1 only for what is larger than the limit.
    public var copies = 1
    /// Parts, by index, that take what does not fit.
    public var spillsTo: [Int] = []
    /// Whether it takes everything that nobody else claims.
    public var takesRest = false
  }

  /// The parts: first those of single areas larger than the limit, then the others, larger areas first; the one that takes the rest is last.
  public let parts: [Part]
  /// No packing of this kind has fewer providers.
  public let lowerBound: Int
  /// Whether it is known that no packing has fewer providers, by the bound or by a search through all.
  public let isOptimal: Bool
  /// The most entries of a provider.
  public let limit: Int

  /// Providers of all parts, copies included.
  public var providers: Int { parts.reduce(0) { $0 + $1.copies } }

  /// A packing of the areas of `tally`. Requires: `limit` is 1 or more.
  public init(_ tally: AreaTally, limit: Int) {
    let sizes = AreaSizes(tally)
    let large = sizes.items.indices.filter { sizes.items[$0].size > limit }
    let packable = sizes.items.indices.filter { sizes.items[$0].size <= limit }
    var bins = PackedBins(sizes, limit: limit)
    let isProven = bins.pack(packable)
    let bound = max(
      (tally.entries + limit - 1) / limit,
      large.count + PackedBins.lowerBound(packable.map { sizes.items[$0].exclusive }, limit: limit))
    let own = OwnProviders(large.map { sizes.items[$0].size }, limit: limit, room: bins.room)

    var parts = large.enumerated().map { index, item in
      Part(areas: [sizes.items[item].area], entries: sizes.items[item].size, copies: own.copies[index])
    }
    let first = parts.count
    parts += bins.bins.map { bin in
      Part(areas: bin.items.map { sizes.items[$0].area }.sorted(), entries: bin.load)
    }
    for (index, spill) in own.spills.enumerated() {
      parts[index].spillsTo = spill.map { $0.isOwn ? $0.index : first + $0.index }
    }

    let rest = Self.rest(parts, from: first)
    if let rest { parts[rest].takesRest = true }
    if parts.isEmpty { parts = [Part(areas: [], entries: 0, takesRest: true)] }
    self.parts = Self.withLast(rest, parts)
    self.limit = limit
    lowerBound = max(bound, 1)
    let count = parts.reduce(0) { $0 + $1.copies }
    isOptimal = count <= lowerBound || isProven && count == large.count + bins.bins.count
  }

  /// The part that takes the rest: the one of rows without area; else, of those that are not one large area, the one with most room.
  private static func rest(_ parts: [Part], from first: Int) -> Int? {
    if let index = parts.firstIndex(where: { $0.areas.contains(0) }) { return index }
    return parts.indices.dropFirst(first).min { (parts[$0].entries, $0) < (parts[$1].entries, $1) }
  }

  /// The parts with the one at `index` behind all others.
  private static func withLast(_ index: Int?, _ parts: [Part]) -> [Part] {
    guard let index, index < parts.count else { return parts }
    var moved = parts
    moved.append(moved.remove(at: index))
    for part in moved.indices {
      moved[part].spillsTo = moved[part].spillsTo.map { $0 == index ? parts.count - 1 : $0 > index ? $0 - 1 : $0 }
    }
    return moved
  }
}

/// Areas with entries, largest first, and what they share.
struct AreaSizes: Sendable {
  struct Item: Sendable {
    var area: Int
    /// Entries that have the area.
    var size: Int
    /// Entries that have no other area.
    var exclusive: Int
    /// Indices of the sets of items that share entries with it.
    var sets: [Int] = []
  }

  private(set) var items: [Item] = []
  /// Items that share entries, and how many.
  private(set) var sets: [(items: [Int], entries: Int)] = []

  init(_ tally: AreaTally) {
    let size = tally.sizes
    let shared = tally.shared
    let order = size.indices.filter { size[$0] > 0 }.sorted { (size[$1], $0) < (size[$0], $1) }
    items = order.map { Item(area: $0, size: size[$0], exclusive: tally.only[$0]) }
    var position = [Int](repeating: -1, count: size.count)
    for (index, area) in order.enumerated() { position[area] = index }
    for set in shared where set.entries > 0 {
      for area in set.areas { items[position[area]].sets.append(sets.count) }
      sets.append((set.areas.map { position[$0] }, set.entries))
    }
  }
}

/// The providers of areas that are larger than the limit: how many each has of its own, and where the remainder goes.
struct OwnProviders {
  /// A place with room: an own provider by its index, or a bin.
  struct Place {
    var isOwn: Bool
    var index: Int
  }

  private(set) var copies: [Int]
  private(set) var spills: [[Place]]

  /// `room` is what the bins of the other areas have left.
  init(_ sizes: [Int], limit: Int, room: [Int]) {
    copies = Array(repeating: 1, count: sizes.count)
    spills = Array(repeating: [], count: sizes.count)
    guard !sizes.isEmpty else { return }
    let all = room.reduce(0, +)
    let needed = sizes.reduce(0, +) - all
    // As few as hold what does not go into the bins; the next one always to the area that has most left.
    for _ in 0..<max(0, (needed + limit - 1) / limit - sizes.count) {
      guard
        let most = sizes.indices.max(by: { (sizes[$0] - copies[$0] * limit, $1) < (sizes[$1] - copies[$1] * limit, $0) }
        )
      else { break }
      copies[most] += 1
    }
    var places = room.enumerated().map { (place: Place(isOwn: false, index: $0), room: $1) }
    for index in sizes.indices where copies[index] * limit > sizes[index] {
      places.append((Place(isOwn: true, index: index), copies[index] * limit - sizes[index]))
    }
    for index in sizes.indices {
      var left = sizes[index] - copies[index] * limit
      while left > 0 {
        let fitting = places.indices.filter { places[$0].room >= left }.min {
          (places[$0].room, $0) < (places[$1].room, $1)
        }
        guard let place = fitting ?? places.indices.max(by: { (places[$0].room, $1) < (places[$1].room, $0) }),
          places[place].room > 0
        else { break }
        spills[index].append(places[place].place)
        let taken = min(left, places[place].room)
        places[place].room -= taken
        left -= taken
      }
    }
  }
}
