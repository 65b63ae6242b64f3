import CallDirectory
import PhoneNumbering
import ShardPlanning
import TestSupport
import Testing

/// Copies of one provider that share its claim by ranges of numbers.
@Suite struct CopyTests {
  private static func rules(_ count: CopyCount, limit: Int, warnAt: Double = 1) -> PlanningRules {
    PlanningRules(
      providers: [PlannedProvider(id: id("g"), claim: .rest, limit: limit, count: count, warnAt: warnAt)],
      sources: ["rows"])
  }

  private static func rows(_ numbers: some Sequence<Int>) -> [Row] {
    numbers.map { Row(number: 20_000_000 + Int64($0), label: "x") }
  }

  private static func numbers(_ planned: Planned, _ copy: Int) -> [Int] {
    (planned.placed[id("g-\(copy)")]?.labels.keys ?? [:].keys).map { Int($0 - 20_000_000) }.sorted()
  }

  @Test(arguments: [
    (5, 3, 2, [2, 2, 1]), (6, 3, 2, [2, 2, 2]), (7, 2, 9, [4, 3]), (1, 3, 2, [1, 0, 0]), (0, 2, 1, [0, 0]),
    (9, 1, 9, [9]),
  ])
  func `B-063 B-064 copies have about equally many entries, in ranges of numbers`(
    entries: Int, copies: Int, limit: Int, expected: [Int]
  ) throws {
    let planned = try plan(Self.rows(0..<entries), Self.rules(.fixed(copies), limit: limit), after: nil)
    #expect(planned.providers == (1...copies).map { id("g-\($0)") })
    #expect((1...copies).map { Self.numbers(planned, $0).count } == expected)
    #expect((1...copies).flatMap { Self.numbers(planned, $0) } == Array(0..<entries))
  }

  @Test func `Copies of many entries differ by less than a thousandth`() throws {
    let planned = try plan(Self.rows(0..<20_000), Self.rules(.fixed(7), limit: 3000), after: nil)
    let counts = (1...7).map { Self.numbers(planned, $0).count }
    #expect(counts.allSatisfy { abs($0 - 20_000 / 7) <= 20 }, "\(counts)")
  }

  @Test func `Entries of others between those of a group do not upset its cuts`() throws {
    let providers = [
      PlannedProvider(id: id("a"), claim: .matching(all: ClaimClause(areas: ["one"]), anyOf: [])),
      PlannedProvider(id: id("g"), claim: .rest, count: .fixed(3)),
    ]
    let rows = (0..<900).map { index in
      Row(number: 20_000_000 + Int64(index), area: index % 10 < 7 ? 1 : 0, label: "x")
    }
    let rules = PlanningRules(providers: providers, sources: ["rows"])
    let planned = try plan(rows, rules, areas: ["", "one"], after: nil)
    #expect((1...3).map { Self.numbers(planned, $0).count } == [90, 90, 90])
  }

  @Test func `Cuts are kept: a new number goes to the copy whose range has it, and nothing moves`() throws {
    let rules = Self.rules(.fixed(3), limit: 10)
    let first = try plan(Self.rows(stride(from: 0, to: 24, by: 4)), rules, after: nil)
    #expect((1...3).map { Self.numbers(first, $0) } == [[0, 4], [8, 12], [16, 20]])
    let second = try plan(Self.rows(0..<9), rules, after: first)
    #expect((1...3).map { Self.numbers(second, $0) } == [[0, 1, 2, 3, 4, 5, 6, 7], [8], []])
    #expect(second.groups == first.groups)
  }

  @Test func `An overfull copy spills to the copy with most room, and later entries stay where they are`() throws {
    let rules = Self.rules(.fixed(3), limit: 4)
    let first = try plan(Self.rows([0, 1, 20, 21, 22, 40, 41]), rules, after: nil)
    #expect((1...3).map { Self.numbers(first, $0) } == [[0, 1, 20], [21, 22], [40, 41]])
    let second = try plan(Self.rows([0, 1, 2, 3, 4, 20, 21, 22, 40]), rules, after: first)
    #expect((1...3).map { Self.numbers(second, $0) } == [[0, 1, 2, 20], [21, 22], [3, 4, 40]])
    // There is room at home again, and 3 and 4 stay away all the same; the new 5 goes home.
    let third = try plan(Self.rows([0, 3, 4, 5, 21, 40]), rules, after: second)
    #expect((1...3).map { Self.numbers(third, $0) } == [[0, 5], [21], [3, 4, 40]])
  }

  @Test
  func `Another number of copies keeps the cuts: a new copy takes what does not fit, the last takes over a gone one's`()
    throws
  {
    let first = try plan(Self.rows(0..<8), Self.rules(.fixed(2), limit: 4), after: nil)
    let more = try plan(Self.rows(0..<10), Self.rules(.fixed(3), limit: 4), after: first)
    #expect((1...3).map { Self.numbers(more, $0) } == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]])
    let fewer = try plan(Self.rows(0..<10), Self.rules(.fixed(2), limit: 6), after: more)
    #expect((1...2).map { Self.numbers(fewer, $0) } == [[0, 1, 2, 3], [4, 5, 6, 7, 8, 9]])
  }

  @Test(
    arguments: [
      (19, 20, 1.0, 1), (20, 20, 1, 2), (38, 20, 1, 2), (39, 20, 1, 3), (17, 20, 0.9, 1), (18, 20, 0.9, 2),
      (0, 5, 1, 1),
    ] as [(Int, Int, Double, Int)])
  func `Auto takes as many copies as fill each to 95 percent of warnAt at most`(
    entries: Int, limit: Int, warnAt: Double, copies: Int
  ) throws {
    let planned = try plan(Self.rows(0..<entries), Self.rules(.auto, limit: limit, warnAt: warnAt), after: nil)
    #expect(planned.providers.count == copies)
    for provider in planned.providers {
      #expect(Double(planned.placed[provider]?.entries ?? 0) < warnAt * Double(limit))
    }
  }

  @Test func `Auto grows by a copy when all are full, without cutting anew, and does not shrink`() throws {
    let rules = Self.rules(.auto, limit: 10)
    let first = try plan(Self.rows(0..<18), rules, after: nil)
    #expect(first.providers.count == 2)
    let second = try plan(Self.rows(0..<25), rules, after: first)
    #expect(second.providers.count == 3)
    #expect(second.groups[id("g")]?.cuts == first.groups[id("g")]?.cuts)
    #expect(Self.numbers(second, 1) == Self.numbers(first, 1))
    #expect((1...3).map { Self.numbers(second, $0).count } == [9, 10, 6])
    let third = try plan(Self.rows(0..<3), rules, after: second)
    #expect(third.providers.count == 3)
  }

  @Test func `Auto stops at a hundred copies, and what does not fit then is told`() throws {
    #expect(try plan(Self.rows(0..<100), Self.rules(.auto, limit: 1), after: nil).providers.count == 100)
    let error = #expect(throws: PlanningError.self) { try plan(Self.rows(0..<101), Self.rules(.auto, limit: 1)) }
    #expect(error?.description.contains("1 of 101 entries") == true && error?.hint.contains("count") == true)
  }

  @Test(arguments: 0..<200) func `Without limits the copies of a provider hold together what the provider would hold`(
    seed: Int
  ) throws {
    var world = World(seed: 11_000_000 + UInt64(seed), limits: false, copies: true)
    let (rows, rules) = world.make()
    for earlier in [nil, try plan(world.rows(), rules, areas: World.areas, after: nil)] {
      let planned = try plan(rows, rules, areas: World.areas, after: earlier)
      for provider in rules.providers where earlier == nil || rules.overlaps == .keep {
        let copies = planned.providers.filter { $0 == provider.id || $0.rawValue.hasPrefix("\(provider.id)-") }
        var together = Placed()
        for copy in copies {
          together.blocked += planned.placed[copy]?.blocked ?? []
          together.labels.merge(planned.placed[copy]?.labels ?? [:]) { first, _ in first }
        }
        together.blocked.sort()
        #expect(together == world.expected(provider, rows, rules), "seed \(seed), \(provider.id)")
        #expect(copies.reduce(0) { $0 + (planned.placed[$1]?.entries ?? 0) } == together.entries, "seed \(seed)")
      }
    }
  }

  @Test func `Spilling to a group means the group: the copy whose range has the number, then the others`() throws {
    let providers = [
      PlannedProvider(
        id: id("a"), claim: .matching(all: ClaimClause(prefixes: ["2"]), anyOf: []), limit: 1, spillsTo: [id("g")]),
      PlannedProvider(id: id("g"), claim: .rest, limit: 2, count: .fixed(2)),
    ]
    let rules = PlanningRules(providers: providers, sources: ["rows"])
    let others = [10_000_000, 30_000_000].map { Row(number: $0, label: "x") }
    let planned = try plan(Self.rows(0..<3) + others, rules, after: nil)
    #expect(planned.providers == [id("a"), id("g-1"), id("g-2")])
    #expect(planned.placed[id("g-1")]?.labels.keys.sorted() == [10_000_000, 20_000_002])
    #expect(planned.placed[id("g-2")]?.labels.keys.sorted() == [20_000_001, 30_000_000])
    #expect(planned.report.providers.map(\.spilledIn) == [0, 1, 1])
    let error = #expect(throws: PlanningError.self) { try plan(Self.rows(0..<6) + others, rules) }
    #expect(error?.description.contains("the limit is 5, g included") == true)
  }

  @Test(arguments: 0..<300) func `Copies keep their limits, hold what the provider would, and stay in a second run`(
    seed: Int
  ) throws {
    var world = World(seed: 9_000_000 + UInt64(seed), limits: true, copies: true)
    let (rows, rules) = world.make()
    let changed = world.rows()
    do {
      let first = try plan(rows, rules, areas: World.areas, after: nil)
      try check(first, rows, rules, world, seed)
      #expect(try plan(rows, rules, areas: World.areas, after: nil).placed == first.placed)
      let again = try plan(rows, rules, areas: World.areas, after: first)
      #expect(again.placed == first.placed && again.groups == first.groups, "seed \(seed)")
      let second = try plan(changed, rules, areas: World.areas, after: first)
      try check(second, changed, rules, world, seed)
      for (group, copies) in second.groups { #expect(copies.cuts == first.groups[group]?.cuts) }
    } catch let error as PlanningError {
      guard case .noRoom = error.kind else { throw error }
    }
  }

  private func check(
    _ planned: Planned, _ rows: [Row], _ rules: PlanningRules, _ world: World, _ seed: Int
  ) throws {
    for provider in rules.providers {
      for copy in planned.providers where copy == provider.id || copy.rawValue.hasPrefix("\(provider.id)-") {
        #expect((planned.placed[copy]?.entries ?? 0) <= provider.limit, "seed \(seed)")
      }
    }
    let entries = world.entries(rows, rules)
    #expect(planned.placed.values.reduce(0) { $0 + $1.entries } == entries.count, "seed \(seed)")
    for entry in entries {
      let holders = planned.placed.filter { id, placed in
        entry.family == .blocking ? placed.blocked.contains(entry.number) : placed.labels[entry.number] != nil
      }.keys
      #expect(holders.count == 1, "seed \(seed)")
      let isReached = holders.allSatisfy { holder in
        entry.reachable.contains { holder == $0 || holder.rawValue.hasPrefix("\($0)-") }
      }
      #expect(isReached, "seed \(seed)")
    }
  }
}
