import CallDirectory
import PhoneNumbering
import ShardPlanning
import TestSupport
import Testing

/// Entries stay where they were in the base release while that place is allowed and has room.
@Suite struct StabilityTests {
  private static func matching(_ prefix: String) -> Claim { .matching(all: ClaimClause(prefixes: [prefix]), anyOf: []) }

  private static func rows(_ numbers: some Sequence<Int>) -> [Row] {
    numbers.map { Row(number: 20_000_000 + Int64($0), label: "x") }
  }

  @Test func `An entry that spilled stays there when there is room at home again`() throws {
    let providers = [
      PlannedProvider(id: id("a"), claim: Self.matching("2"), limit: 2, spillsTo: [id("b")]),
      PlannedProvider(id: id("b"), claim: .rest),
    ]
    let rules = PlanningRules(providers: providers, sources: ["rows"])
    let first = try plan(Self.rows(0..<4), rules, after: nil)
    #expect(first.placed[id("b")]?.labels.keys.sorted() == [20_000_002, 20_000_003])
    let second = try plan(Self.rows([1, 2, 3, 9]), rules, after: first)
    #expect(second.placed[id("a")]?.labels.keys.sorted() == [20_000_001, 20_000_009])
    #expect(second.placed[id("b")]?.labels.keys.sorted() == [20_000_002, 20_000_003])
  }

  @Test func `An entry leaves a place that may no longer hold it, or that has gone from the plan`() throws {
    let before = PlanningRules(
      providers: ["20", "21"].map { PlannedProvider(id: id("p\($0)"), claim: Self.matching($0)) }, sources: ["rows"])
    let rows = [20_000_000, 21_000_000].map { Row(number: $0, label: "x") }
    let first = try plan(rows, before, after: nil)
    let after = PlanningRules(
      providers: [
        PlannedProvider(id: id("p20"), claim: Self.matching("21")), PlannedProvider(id: id("new"), claim: .rest),
      ], sources: ["rows"])
    let second = try plan(rows, after, after: first)
    #expect(second.placed[id("p20")]?.labels.keys.sorted() == [21_000_000])
    #expect(second.placed[id("new")]?.labels.keys.sorted() == [20_000_000])
  }

  @Test func `Under keep a copy that spilled stays with its spill target`() throws {
    let providers = [
      PlannedProvider(id: id("a"), claim: Self.matching("20"), limit: 1, spillsTo: [id("c")]),
      PlannedProvider(id: id("b"), claim: Self.matching("2")),
      PlannedProvider(id: id("c"), claim: Self.matching("9"), mayBeEmpty: true),
    ]
    let rules = PlanningRules(providers: providers, sources: ["rows"], overlaps: .keep)
    let first = try plan(Self.rows(0..<2), rules, after: nil)
    #expect(first.placed[id("c")]?.labels.keys.sorted() == [20_000_001])
    let second = try plan(Self.rows([1]), rules, after: first)
    #expect(second.placed[id("c")]?.labels.keys.sorted() == [20_000_001])
    #expect(second.placed[id("a")]?.labels == [:])
    #expect(second.placed[id("b")]?.labels.keys.sorted() == [20_000_001])
  }

  @Test func `A new block rather spills than push a label out of its place`() throws {
    let providers = [
      PlannedProvider(id: id("a"), claim: Self.matching("2"), limit: 2, spillsTo: [id("b")]),
      PlannedProvider(id: id("b"), claim: .rest, limit: 2),
    ]
    let rules = PlanningRules(providers: providers, sources: ["rows"])
    let first = try plan(Self.rows(0..<2), rules, after: nil)
    let second = try plan(Self.rows(0..<2) + [Row(number: 20_000_005, action: .block)], rules, after: first)
    #expect(second.placed[id("a")]?.labels.count == 2)
    #expect(second.placed[id("b")]?.blocked == [20_000_005])
  }

  @Test(arguments: 0..<300) func `As few entries move as can be, by trying every way to place them`(seed: Int) throws {
    var random = SeededGenerator(seed: 3_000_000 + UInt64(seed))
    let names = ["a", "b", "c"].map(id)
    func providers() -> [PlannedProvider] {
      names.enumerated().map { index, name in
        PlannedProvider(
          id: name, claim: Self.matching(["20", "200", "2"][Int.random(in: 0...2, using: &random)]),
          limit: Int.random(in: 1...4, using: &random),
          spillsTo: index < 2 && Bool.random(using: &random) ? [names[index + 1]] : [], mayBeEmpty: true)
      } + [PlannedProvider(id: id("rest"), claim: .rest, limit: 2)]
    }
    func someRows() -> [Row] {
      (0..<6).map { index in
        Row(
          number: [20_000_000, 20_000_001, 20_100_000, 21_000_000, 20_000_002, 90_000_000][index],
          action: [.identify, .identify, .block].randomElement(using: &random) ?? .block, label: "x")
      }.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
    }
    let firstRules = PlanningRules(providers: providers(), sources: ["rows"])
    var rules = firstRules
    // On some days only the rows change, on others the plan too.
    if Bool.random(using: &random) { rules.providers = providers() }
    let (before, now) = (someRows().map(Self.labelled), someRows().map(Self.labelled))
    guard let first = try? plan(before, firstRules, after: nil), let second = try? plan(now, rules, after: first) else {
      return
    }
    let world = World(seed: 0, limits: true)
    let entries = world.entries(now, rules)
    let moved = entries.count { entry in
      guard let old = Self.place(entry, first) else { return false }
      return old != Self.place(entry, second)
    }
    #expect(moved - Self.forced(entries, first) == Self.fewestMoves(entries, rules, first), "seed \(seed)")
  }

  /// Rows as the planner of the test needs them: a block has no label.
  private static func labelled(_ row: Row) -> Row {
    var row = row
    if row.action == .block { row.label = "" }
    return row
  }

  private static func place(_ entry: World.Entry, _ planned: Planned) -> ProviderID? {
    planned.placed.first { _, placed in
      entry.family == .blocking ? placed.blocked.contains(entry.number) : placed.labels[entry.number] != nil
    }?.key
  }

  /// Entries whose old place may no longer hold them: they move in any case.
  private static func forced(_ entries: [World.Entry], _ first: Planned) -> Int {
    entries.count { entry in place(entry, first).map { !entry.reachable.contains($0) } ?? false }
  }

  /// The least number of moves of entries that could stay, over all ways to place every entry.
  private static func fewestMoves(_ entries: [World.Entry], _ rules: PlanningRules, _ first: Planned) -> Int {
    var room = Dictionary(uniqueKeysWithValues: rules.providers.map { ($0.id, $0.limit) })
    var best = Int.max
    func place(_ index: Int, _ moves: Int) {
      guard moves < best else { return }
      guard index < entries.count else {
        best = moves
        return
      }
      let old = Self.place(entries[index], first)
      let mayStay = old.map { entries[index].reachable.contains($0) } ?? false
      for provider in entries[index].reachable where room[provider, default: 0] > 0 {
        room[provider, default: 0] -= 1
        place(index + 1, moves + (mayStay && provider != old ? 1 : 0))
        room[provider, default: 0] += 1
      }
    }
    place(0, 0)
    return best
  }
}
