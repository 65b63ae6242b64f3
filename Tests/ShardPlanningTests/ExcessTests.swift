import CallDirectory
import PhoneNumbering
import ShardPlanning
import TestSupport
import Testing

/// What happens to labels for which there is no room, and to those of blocked numbers.
@Suite struct ExcessTests {
  private static func provider(_ limit: Int) -> PlannedProvider {
    PlannedProvider(id: id("a"), claim: .rest, limit: limit, excess: .dropLowestScore)
  }

  private static func rules(_ providers: [PlannedProvider], overlaps: OverlapRule = .collapse) -> PlanningRules {
    PlanningRules(providers: providers, sources: ["rows"], overlaps: overlaps)
  }

  @Test(
    arguments: [
      ([3, 1, 2, 4], 3, [20_000_001]), ([1, 1, 1, 1], 3, [20_000_003]), ([nil, 1, nil, 0], 3, [20_000_002]),
      ([nil, -5, nil, 0], 2, [20_000_000, 20_000_002]), ([1, 2, 3, 4], 1, [20_000_000, 20_000_001, 20_000_002]),
      ([nil, nil, nil, nil], 4, []), ([0.5, -0.0, 0.0, 1e300], 2, [20_000_001, 20_000_002]),
    ] as [([Double?], Int, [Int64])])
  func `B-060 B-067 the lowest scores are dropped, rows without score first, of equal ones the higher number`(
    scores: [Double?], limit: Int, dropped: [Int64]
  ) throws {
    let rows = scores.enumerated().map { Row(number: 20_000_000 + Int64($0), label: "x", score: $1) }
    let (placed, report) = try plan(rows, Self.rules([Self.provider(limit)]))
    #expect(placed[id("a")]?.labels.keys.sorted() == rows.map(\.number).filter { !dropped.contains($0) })
    #expect(report.dropped == dropped.count)
    #expect(report.droppedSamples.map(\.number.rawValue) == dropped)
    #expect(report.droppedSamples.map(\.position.line) == dropped.map { Int($0 - 20_000_000) + 1 })
    #expect(report.accounts[0].dropped == dropped.count && report.accounts[0].isBalanced)
  }

  @Test func `The score of a number is the highest of its rows, and its occurrences are dropped once`() throws {
    let rows = [
      Row(number: 20_000_000, label: "low", score: 1), Row(number: 20_000_000, label: "high", score: 9),
      Row(number: 20_000_001, label: "middle", score: 5), Row(number: 20_000_001, label: "again", score: 2),
    ]
    let (placed, report) = try plan(rows, Self.rules([Self.provider(1)]))
    #expect(placed[id("a")]?.labels == [20_000_000: "low"])
    #expect(report.droppedSamples.map(\.score) == [5])
    #expect(report.accounts[0].dropped == 1 && report.accounts[0].merged == 2 && report.accounts[0].used == 1)
  }

  @Test func `A block is never dropped: it takes the room of labels, and fails the plan when there is none`() throws {
    let rows = [
      Row(number: 20_000_000, action: .both, label: "x", score: 9), Row(number: 20_000_001, action: .block),
    ]
    let (placed, _) = try plan(rows, Self.rules([Self.provider(2)]))
    #expect(placed[id("a")] == Placed(blocked: [20_000_000, 20_000_001], labels: [:]))
    let error = #expect(throws: PlanningError.self) { try plan(rows, Self.rules([Self.provider(1)])) }
    guard case .noRoom(let shortages) = error?.kind else {
      Issue.record("expected a shortage, got \(String(describing: error))")
      return
    }
    #expect(shortages.map(\.missing) == [1])
  }

  @Test func `Under keep each claimant drops its own copies, and the label stays where there is room`() throws {
    let providers = [
      PlannedProvider(
        id: id("a"), claim: .matching(all: ClaimClause(prefixes: ["2"]), anyOf: []), limit: 1, excess: .dropLowestScore),
      PlannedProvider(id: id("b"), claim: .matching(all: ClaimClause(prefixes: ["20"]), anyOf: [])),
    ]
    let rows = (0..<3).map { Row(number: 20_000_000 + Int64($0), label: "x", score: Double($0)) }
    let (placed, report) = try plan(rows, Self.rules(providers, overlaps: .keep))
    #expect(placed[id("a")]?.labels.keys.sorted() == [20_000_002])
    #expect(placed[id("b")]?.labels.count == 3)
    #expect(report.dropped == 2 && report.accounts[0].dropped == 0 && report.accounts[0].used == 3)
  }

  @Test func `Under keep a claimant that may drop labels does not answer for one that may not and spills to it`() throws
  {
    let providers = [
      PlannedProvider(
        id: id("a"), claim: .matching(all: ClaimClause(prefixes: ["2"], sources: ["one"]), anyOf: []), limit: 1,
        spillsTo: [id("b")]),
      PlannedProvider(
        id: id("b"), claim: .matching(all: ClaimClause(prefixes: ["20"]), anyOf: []), limit: 1, excess: .dropLowestScore
      ),
    ]
    let rows = (0..<2).map { Row(number: 20_000_000 + Int64($0), label: "x") }
    let rules = PlanningRules(providers: providers, sources: ["one"], overlaps: .keep)
    let (placed, report) = try plan(rows, rules)
    #expect(placed[id("a")]?.labels.keys.sorted() == [20_000_000])
    #expect(placed[id("b")]?.labels.keys.sorted() == [20_000_001])
    #expect(report.accounts[0].used == 2 && report.dropped == 2)
  }

  @Test(arguments: 0..<400) func `What is dropped is just what a walk from the best label to the worst cannot seat`(
    seed: Int
  ) throws {
    var world = World(seed: 5_000_000 + UInt64(seed), limits: true, drops: true)
    let (rows, rules) = world.make()
    let entries = world.entries(rows, rules)
    let mayBeDropped = { (entry: World.Entry) in
      entry.family == .identification
        && rules.providers.first { $0.id == entry.reachable[0] }?.excess == .dropLowestScore
    }
    var seats = Seats(rules)
    let isPossible = entries.filter { !mayBeDropped($0) }.allSatisfy { seats.take($0.reachable) }
    let best = entries.filter(mayBeDropped).sorted { left, right in
      let (a, b) = (left.score ?? -.infinity, right.score ?? -.infinity)
      return a == b ? left.number < right.number : a > b
    }
    let dropped = best.filter { !seats.take($0.reachable) }.map(\.number).sorted()
    do {
      let (placed, report) = try plan(rows, rules, areas: World.areas)
      #expect(isPossible, "seed \(seed)")
      let labelled = Set(placed.values.flatMap(\.labels.keys))
      let expected = Set(entries.filter { $0.family == .identification }.map(\.number)).subtracting(dropped)
      #expect(labelled == expected, "seed \(seed)")
      #expect(report.dropped == dropped.count, "seed \(seed)")
      for provider in rules.providers { #expect((placed[provider.id]?.entries ?? 0) <= provider.limit, "seed \(seed)") }
      #expect(report.accounts.filter { !$0.isBalanced }.isEmpty)
      #expect(report.accounts.reduce(0) { $0 + $1.dropped } == dropped.count)
    } catch let error as PlanningError {
      guard case .noRoom = error.kind else { throw error }
      #expect(!isPossible, "seed \(seed)")
    }
  }

  @Test func `Many labels with scores of any size are dropped exactly, in a few walks`() throws {
    var random = SeededGenerator(seed: 7)
    for kind in 0..<4 {
      let rows = (0..<3000).map { index in
        let score: Double? =
          switch kind {
          case 0: nil
          case 1: Double(Int.random(in: 0...20, using: &random))
          case 2: Double.random(in: -1e9...1e9, using: &random)
          default: Bool.random(using: &random) ? nil : Double(index % 7) * 1e-300
          }
        return Row(number: 20_000_000 + Int64(index), label: "x", score: score)
      }
      let limit = Int.random(in: 1...2999, using: &random)
      let best = rows.sorted { left, right in
        let (a, b) = (left.score ?? -.infinity, right.score ?? -.infinity)
        return a == b ? left.number < right.number : a > b
      }
      let (placed, _) = try plan(rows, Self.rules([Self.provider(limit)]))
      #expect(placed[id("a")]?.labels.keys.sorted() == best.prefix(limit).map(\.number).sorted(), "kind \(kind)")
    }
  }

  @Test
  func `A provider that wants no labels of blocked numbers leaves them to the next claimant, else they are dropped`()
    throws
  {
    let rows = [
      Row(number: 20_000_000, action: .both, label: "blocked"), Row(number: 20_000_001, label: "free"),
      Row(number: 21_000_000, action: .both, label: "also"), Row(number: 22_000_000, action: .both, label: "allowed"),
      Row(number: 22_000_000, action: .allow),
    ]
    let providers = [
      PlannedProvider(
        id: id("a"), claim: .matching(all: ClaimClause(prefixes: ["2"]), anyOf: []), dropsLabelsOfBlocked: true),
      PlannedProvider(id: id("b"), claim: .matching(all: ClaimClause(prefixes: ["21"]), anyOf: [])),
    ]
    let (placed, report) = try plan(rows, Self.rules(providers))
    #expect(placed[id("a")]?.labels == [20_000_001: "free", 22_000_000: "allowed"])
    #expect(placed[id("b")]?.labels == [21_000_000: "also"])
    #expect(placed.values.flatMap(\.blocked).sorted() == [20_000_000, 21_000_000])
    #expect(report.labelsOfBlocked == 1 && report.accounts[0].dropped == 1)
    #expect(report.accounts.filter { !$0.isBalanced }.isEmpty)
  }

  @Test func `A label of a blocked number does not spill into a provider that wants none`() throws {
    let providers = [
      PlannedProvider(
        id: id("a"), claim: .matching(all: ClaimClause(actions: [.identify]), anyOf: []), limit: 1, spillsTo: [id("b")]),
      PlannedProvider(id: id("b"), claim: .rest, dropsLabelsOfBlocked: true),
    ]
    let rows = (0..<2).map { Row(number: 20_000_000 + Int64($0), action: .both, label: "x") }
    #expect(throws: PlanningError.self) { try plan(rows, Self.rules(providers)) }
    let (placed, _) = try plan(rows.map { Row(number: $0.number, label: "x") }, Self.rules(providers))
    #expect(placed[id("b")]?.labels.count == 1)
  }
}
