import CallDirectory
import PhoneNumbering
import TestSupport
import Testing

@testable import ShardPlanning

/// Areas packed whole into as few providers as can be, against every way to pack them.
@Suite struct AreaPackingTests {
  /// Entries by set of areas: the bits of the index; index 0 has no area.
  typealias Counts = [Int]

  private static func tally(_ counts: Counts, areas: Int) throws -> AreaTally {
    var tally = AreaTally(
      areas: ["", "a", "b", "c", "d", "e", "f", "g"].prefix(areas + 1).map { $0 })
    for (set, count) in counts.enumerated() where count > 0 {
      let areas = (0..<8).filter { set >> $0 & 1 == 1 }.map { $0 + 1 }
      withRows((areas.isEmpty ? [0] : areas).enumerated().map { ($0, Row(number: 1, area: $1, label: "x")) }) {
        tally.add($0, numbers: count)
      }
    }
    return tally
  }

  /// The fewest providers, by trying every way to put the areas that fit into bins and giving the others one or more of their
  /// own. `loads` are those of sets of items.
  private static func fewest(_ items: [Int], limit: Int, load: ([Int]) -> Int) -> Int {
    let large = items.filter { load([$0]) > limit }
    let excess = large.reduce(0) { $0 + load([$1]) }
    let small = items.filter { load([$0]) <= limit }
    var best = Int.max
    func place(_ index: Int, _ bins: [[Int]]) {
      guard index < small.count else {
        let room = bins.reduce(0) { $0 + limit - load($1) }
        let own = max(large.count, (max(0, excess - room) + limit - 1) / limit)
        best = min(best, bins.count + own)
        return
      }
      for bin in bins.indices where load(bins[bin] + [small[index]]) <= limit {
        var more = bins
        more[bin].append(small[index])
        place(index + 1, more)
      }
      place(index + 1, bins + [[small[index]]])
    }
    place(0, [])
    return max(best, 1)
  }

  /// What has to hold of every packing.
  private static func check(
    _ packing: AreaPacking, _ items: [Int], limit: Int, _ what: String, load: ([Int]) -> Int
  ) {
    #expect(packing.parts.flatMap(\.areas).sorted() == items, "each area once: \(what)")
    #expect(packing.parts.count(where: \.takesRest) <= 1 && packing.lowerBound <= packing.providers, "\(what)")
    let left = packing.parts.map { $0.copies * limit - load($0.areas) }
    let ids = packing.parts.indices.map { id("p\($0)") }
    var seats = Seats(
      PlanningRules(
        providers: zip(ids, left).map { PlannedProvider(id: $0, claim: .rest, limit: max(0, $1)) }, sources: []))
    for part in packing.parts.indices {
      #expect(packing.parts[part].entries == load(packing.parts[part].areas), "\(what)")
      #expect(packing.parts[part].areas.count <= 1 || left[part] >= 0, "only one area alone may be split: \(what)")
      #expect(packing.parts[part].spillsTo.allSatisfy { $0 != part && packing.parts[$0].spillsTo.isEmpty }, "\(what)")
      let targets = packing.parts[part].spillsTo.map { ids[$0] }
      let seated = (0..<max(0, -left[part])).count { _ in seats.take(targets) }
      #expect(seated == max(0, -left[part]), "something has no place: \(what)")
    }
  }

  @Test func `Every world of up to five areas is packed as the best of all ways to do it`() throws {
    var worlds = 0
    for limit in 1...6 {
      func world(_ sizes: [Int]) throws {
        var counts = Array(repeating: 0, count: 64)
        for (item, size) in sizes.enumerated() { counts[item == 0 ? 0 : 1 << (item - 1)] = size }
        let load = { (items: [Int]) in items.reduce(0) { $0 + sizes[$1] } }
        let packing = AreaPacking(try Self.tally(counts, areas: 5), limit: limit)
        let items = Array(sizes.indices)
        Self.check(packing, items, limit: limit, "sizes \(sizes), limit \(limit)", load: load)
        let fewest = Self.fewest(items, limit: limit, load: load)
        try #require(packing.providers == fewest, "sizes \(sizes), limit \(limit)")
        #expect(packing.isOptimal && packing.lowerBound <= fewest, "sizes \(sizes), limit \(limit)")
        worlds += 1
        guard sizes.count < 5 else { return }
        for next in 1...min(sizes.last ?? 1, limit + 2) { try world(sizes + [next]) }
      }
      for first in Array(1...limit + 1) + [2 * limit + 1] { try world([first]) }
    }
    #expect(worlds > 1_000)
  }

  @Test func `Every world of three areas that share entries is packed as the best of all ways to do it`() throws {
    // Rows without area and of one area: none to two. Shared by two areas or by all: none or one.
    let most = [2, 2, 2, 1, 2, 1, 1, 1]
    for code in 0..<most.reduce(1, { $0 * ($1 + 1) }) {
      var rest = code
      let counts = most.map { most in
        defer { rest /= most + 1 }
        return rest % (most + 1)
      }
      for limit in [2, 4] { try compare(counts, areas: 3, limit: limit, isSearched: true) }
    }
  }

  @Test(arguments: 0..<150) func `Random worlds of up to seven areas that share entries are packed as well`(seed: Int)
    throws
  {
    var random = SeededGenerator(seed: 40_000_000 + UInt64(seed))
    let areas = Int.random(in: 2...6, using: &random)
    let counts = (0..<(1 << areas)).map { set in
      let isShared = set & (set - 1) != 0
      return isShared && Int.random(in: 0..<4, using: &random) > 0 ? 0 : Int.random(in: 0...9, using: &random)
    }
    try compare(counts, areas: areas, limit: Int.random(in: 5...25, using: &random), isSearched: true, "seed \(seed)")
  }

  private func compare(
    _ counts: Counts, areas: Int, limit: Int, isSearched: Bool, _ seed: String = ""
  ) throws {
    /// Entries of a provider that has these items: sets of areas that have one of them.
    func load(_ items: [Int]) -> Int {
      counts.indices.reduce(0) { sum, set in
        let isIn = set == 0 ? items.contains(0) : items.contains { $0 > 0 && set >> ($0 - 1) & 1 == 1 }
        return sum + (isIn ? counts[set] : 0)
      }
    }
    let items = (0...areas).filter { load([$0]) > 0 }
    let tally = try Self.tally(counts, areas: areas)
    #expect(tally.entries == counts.reduce(0, +) && tally.sizes == (0...areas).map { load([$0]) })
    let packing = AreaPacking(tally, limit: limit)
    let what = "\(seed) counts \(counts), limit \(limit)"
    Self.check(packing, items, limit: limit, what, load: load)
    let fewest = Self.fewest(items, limit: limit, load: load)
    #expect(packing.lowerBound <= fewest, "\(what)")
    // Where large areas spill, which of several packings leaves most room is not searched for.
    let isExact = items.allSatisfy { load([$0]) <= limit }
    #expect(isExact ? packing.providers == fewest : packing.providers <= fewest + 1, "\(what)")
    #expect(!packing.isOptimal || packing.providers == fewest, "\(what)")
  }

  @Test func `Many areas are packed close to the bound, always alike`() throws {
    var random = SeededGenerator(seed: 5)
    for count in [100, 1_000, 5_000] {
      var tally = AreaTally(areas: (0...count).map { "\($0)" })
      for area in 0...count {
        // Few large ones and very many small ones, as cities are.
        let size = 2_000_000 / (area + 1) + Int.random(in: 0...200, using: &random)
        withRows([(0, Row(number: 1, area: area, label: "x"))]) { tally.add($0, numbers: size) }
        if area > 1, area % 10 == 0 {
          let two = [area, area / 2].enumerated().map { ($0, Row(number: 1, area: $1, label: "x")) }
          withRows(two) { tally.add($0, numbers: size / 10) }
        }
      }
      for limit in [700_000, 1_999_999] {
        let packing = AreaPacking(tally, limit: limit)
        #expect(packing.providers <= packing.lowerBound + 1, "\(count) areas, limit \(limit)")
        #expect(packing.parts.reduce(0) { $0 + $1.areas.count } == count + 1)
        #expect(AreaPacking(tally, limit: limit).parts == packing.parts)
      }
    }
  }

  @Test func `Hard sizes: exchanges and the search find what first-fit decreasing misses`() throws {
    // 6 + 4 and 5 + 3 + 2 twice: first-fit decreasing takes three bins for the one and the other.
    for (sizes, limit, fewest) in [
      ([6, 5, 5, 4, 3, 3, 2, 2], 10, 3), ([7, 6, 3, 2, 2], 10, 2),
      ([44, 24, 24, 22, 21, 17, 8, 8, 6, 6], 61, 3),
    ] as [([Int], Int, Int)] {
      var tally = AreaTally(areas: [""] + sizes.indices.map { "\($0)" })
      for (area, size) in sizes.enumerated() {
        withRows([(0, Row(number: 1, area: area + 1, label: "x"))]) { tally.add($0, numbers: size) }
      }
      let packing = AreaPacking(tally, limit: limit)
      #expect(packing.providers == fewest && packing.isOptimal, "\(sizes)")
    }
  }

  @Test func `What is counted is what a plan would place: merged, cut, and each family by itself`() throws {
    let rows = [
      Row(number: 1, area: 1, label: "x"), Row(number: 1, area: 2), Row(number: 1, action: .block, area: 1),
      Row(number: 2, action: .both, area: 1, label: "x"), Row(number: 2, action: .allow),
      Row(number: 3, area: 1, label: "x"), Row(number: 3, action: .remove),
      Row(number: 4, area: 1), Row(number: 5, action: .block), Row(number: 6, action: .both, area: 2, label: "y"),
    ]
    for (drops, entries, sizes) in [(false, 6, [1, 3, 3]), (true, 4, [1, 2, 1])] {
      var tally = AreaTally(areas: ["", "one", "two"], dropsLabelsOfBlocked: drops)
      for (_, group) in Dictionary(grouping: rows.enumerated(), by: \.element.number) {
        withRows(group.map { ($0.offset, $0.element) }) { tally.add($0) }
      }
      #expect(tally.entries == entries && tally.sizes == sizes, "\(drops)")
    }
  }

  @Test func `Sets of areas beyond the memory for them are counted in each area, and that is said`() throws {
    var tally = AreaTally(areas: ["", "a", "b", "c"], dropsLabelsOfBlocked: false, mostIDs: 2)
    for set in [[1, 2], [2, 3], [1, 2]] {
      withRows(set.enumerated().map { ($0, Row(number: 1, area: $1, label: "x")) }) { tally.add($0) }
    }
    #expect(tally.entries == 3 && tally.sizes == [0, 2, 3, 1] && !tally.isExact)
    let packing = AreaPacking(tally, limit: 4)
    #expect(packing.providers == 1 && packing.parts[0].entries == 4)
  }

  @Test func `No rows at all are one provider for the rest`() throws {
    let packing = AreaPacking(AreaTally(areas: [""]), limit: 5)
    #expect(packing.parts == [AreaPacking.Part(areas: [], entries: 0, takesRest: true)])
    #expect(packing.providers == 1 && packing.lowerBound == 1 && packing.isOptimal)
  }

  @Test(arguments: 0..<200) func `A suggestion is a plan that holds, whichever the overlaps`(seed: Int) throws {
    var random = SeededGenerator(seed: 41_000_000 + UInt64(seed))
    let names = ["", "a", "b", "c", "d"]
    let rows = (0..<Int.random(in: 1...60, using: &random)).map { index in
      Row(
        number: 20_000_000 + Int64.random(in: 0...40, using: &random),
        action: [.identify, .identify, .block, .both].randomElement(using: &random) ?? .identify,
        area: min(4, Int.random(in: 0...6, using: &random)), label: "label \(index)")
    }
    var tally = AreaTally(areas: names)
    for (_, group) in Dictionary(grouping: rows.enumerated(), by: \.element.number) {
      withRows(group.map { ($0.offset, $0.element) }) { tally.add($0) }
    }
    let limit = Int.random(in: 3...40, using: &random)
    let packing = AreaPacking(tally, limit: limit)
    let ids = packing.parts.indices.map { id("p\($0)") }
    let providers = packing.parts.enumerated().map { index, part in
      PlannedProvider(
        id: ids[index],
        claim: part.takesRest ? .rest : .matching(all: ClaimClause(areas: part.areas.map { names[$0] }), anyOf: []),
        limit: limit, spillsTo: part.spillsTo.map { ids[$0] }, count: part.copies > 1 ? .fixed(part.copies) : .single)
    }
    for overlaps in [OverlapRule.collapse, .keep] {
      let rules = PlanningRules(providers: providers, sources: ["rows"], overlaps: overlaps)
      let planned = try plan(rows, rules, areas: names, after: nil)
      #expect(planned.placed.values.allSatisfy { $0.entries <= limit }, "seed \(seed)")
      #expect(planned.providers.count == packing.providers, "seed \(seed)")
      guard overlaps == .collapse else { continue }
      #expect(planned.placed.values.reduce(0) { $0 + $1.entries } == tally.entries, "seed \(seed)")
      // A label of an area that fits stands where the area stands.
      for (index, part) in packing.parts.enumerated() where part.spillsTo.isEmpty && part.copies == 1 {
        for number in planned.placed[ids[index]]?.labels.keys ?? [:].keys {
          let areas = rows.filter { $0.number == number && $0.action != .block }.map(\.area)
          let isLarge = areas.contains { area in packing.parts.contains { $0.areas == [area] && $0.entries > limit } }
          #expect(isLarge || areas.contains(where: part.areas.contains), "seed \(seed), \(number)")
        }
      }
    }
  }
}
