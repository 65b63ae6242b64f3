import CallDirectory
import PhoneNumbering
import ShardPlanning
import TestSupport
import Testing

/// Troubles that others had with limits, order and repeated numbers.
@Suite struct TroubleCaseTests {
  private static func rules(_ providers: [PlannedProvider], sources: [String] = ["rows"]) -> PlanningRules {
    PlanningRules(providers: providers, sources: sources)
  }

  @Test
  func
    `B-069 limits belong to each provider: twelve numbers of one contact fill nine places of one and three of another`()
    throws
  {
    let providers = [
      PlannedProvider(id: id("phone"), claim: .rest, limit: 9, spillsTo: [id("tablet")]),
      PlannedProvider(
        id: id("tablet"), claim: .matching(all: ClaimClause(sources: ["other"]), anyOf: []), limit: 1_000,
        mayBeEmpty: true),
    ]
    let contact = (0..<12).map { Row(number: 20_000_000 + Int64($0), label: "One contact") }
    let (placed, report) = try plan(contact, Self.rules(providers, sources: ["rows", "other"]))
    #expect(placed[id("phone")]?.entries == 9 && placed[id("tablet")]?.entries == 3)
    #expect(report.providers.map(\.limit) == [9, 1_000])
  }

  @Test func `B-078 where two claims or two sources are equal the plan's order decides, never the order of rows`()
    throws
  {
    let claim = Claim.matching(all: ClaimClause(prefixes: ["2"]), anyOf: [])
    let rows = [
      Row(number: 20_000_000, source: 1, label: "of two", score: 1),
      Row(number: 20_000_000, source: 0, label: "of one", score: 1),
      Row(number: 20_000_001, source: 0, label: "only"),
    ]
    for ids in [["a", "b"], ["b", "a"]] {
      let providers = ids.map { PlannedProvider(id: id($0), claim: claim) }
      for order in rows.permutations {
        let (placed, _) = try plan(order, Self.rules(providers, sources: ["one", "two"]))
        #expect(placed[id(ids[0])]?.labels == [20_000_000: "of one", 20_000_001: "only"])
        #expect(placed[id(ids[1])]?.entries == 0)
      }
    }
    // Equal scores: the number decides which label goes.
    let tight = PlannedProvider(id: id("a"), claim: .rest, limit: 1, excess: .dropLowestScore)
    let equal = (0..<3).map { Row(number: 20_000_000 + Int64($0), label: "x", score: 1) }
    for order in equal.permutations {
      #expect(try plan(order, Self.rules([tight])).placed[id("a")]?.labels.keys.sorted() == [20_000_000])
    }
  }

  @Test func `B-081 a number may have block and label: both are placed, and without its block the label stays`() throws
  {
    let rows = [
      Row(number: 20_000_000, action: .block), Row(number: 20_000_000, label: "Spam"),
      Row(number: 20_000_001, action: .both, label: "Also"),
    ]
    let rules = Self.rules([PlannedProvider(id: id("a"), claim: .rest)], sources: ["rows", "ours"])
    let (placed, _) = try plan(rows, rules)
    #expect(
      placed[id("a")] == Placed(blocked: [20_000_000, 20_000_001], labels: [20_000_000: "Spam", 20_000_001: "Also"]))
    let allowed = (0..<2).map { Row(number: 20_000_000 + Int64($0), action: .allow, source: 1) }
    let (freed, report) = try plan(rows + allowed, rules)
    #expect(freed[id("a")] == Placed(blocked: [], labels: [20_000_000: "Spam", 20_000_001: "Also"]))
    #expect(report.cuts.allowed == 2)
  }

  @Test func `C-16 repeated numbers are merged before the cap counts: three rows of two numbers fit into two places`()
    throws
  {
    let rows = [20_000_005, 20_000_001, 20_000_005].map { Row(number: $0, label: "x") }
    let provider = PlannedProvider(id: id("a"), claim: .rest, limit: 2)
    for order in rows.permutations {
      let (placed, report) = try plan(order, Self.rules([provider]))
      #expect(placed[id("a")]?.labels.keys.sorted() == [20_000_001, 20_000_005])
      #expect(report.accounts[0].merged == 1 && report.accounts[0].used == 2)
    }
  }

  @Test func `C-24 five rows at two per provider need three, and no part is larger than its limit`() throws {
    let rows = (0..<5).map { Row(number: 20_000_000 + Int64($0), label: "x") }
    func group(_ count: CopyCount) -> PlanningRules {
      Self.rules([PlannedProvider(id: id("g"), claim: .rest, limit: 2, count: count, warnAt: 1)])
    }
    #expect(throws: PlanningError.self) { try plan(rows, group(.fixed(2))) }
    for count in [CopyCount.fixed(3), .auto] {
      let parts = try plan(rows, group(count)).placed.values.map(\.entries)
      #expect(parts.count >= 3 && parts.allSatisfy { $0 <= 2 } && parts.reduce(0, +) == 5)
    }
  }

  @Test func `B-058 R-CAP-1 both ends of the cap: 1,999,999 entries are placed, of 2,000,000 one finds no room`() throws
  {
    // A segment is counted as a whole where all its numbers are alike, so the real figures cost nothing here.
    for (count, missing) in [(1_999_999, 0), (2_000_000, 1)] {
      var tally = AreaTally(areas: [""])
      withRows([(0, Row(number: 1, label: "x"))]) { tally.add($0, numbers: count) }
      let packing = AreaPacking(tally, limit: EntryLimit.maximum)
      #expect(packing.providers == 1 + missing && packing.isOptimal)
      #expect(packing.parts.map(\.copies) == [1 + missing])
    }
  }

  @Test func `An empty provider is a provider without entries`() throws {
    let providers = [
      PlannedProvider(id: id("a"), claim: .matching(all: ClaimClause(prefixes: ["9"]), anyOf: [])),
      PlannedProvider(id: id("b"), claim: .rest),
    ]
    let (placed, report) = try plan([Row(number: 20_000_000, label: "x")], Self.rules(providers))
    #expect(placed[id("a")] == Placed() && report.providers.map(\.counts.total) == [0, 1])
    #expect(report.providers[0].numbers == nil)
    #expect(try plan([], Self.rules(providers)).placed.values.allSatisfy { $0 == Placed() })
  }

  @Test func `Blocks only: they are split as labels are, and above all limits the plan fails by just what is too many`()
    throws
  {
    let blocks = (0..<6).map { Row(number: 20_000_000 + Int64($0), action: .block) }
    for (limit, count, placed) in [(6, 1, [6]), (3, 2, [3, 3]), (2, 3, [2, 2, 2])] {
      let provider = PlannedProvider(
        id: id("g"), claim: .rest, limit: limit, excess: .dropLowestScore, count: .fixed(count))
      let planned = try plan(blocks, Self.rules([provider]), after: nil)
      #expect(planned.providers.map { planned.placed[$0]?.blocked.count } == placed)
    }
    // Labels that may be dropped make room for blocks, but blocks are never dropped.
    let labels = (0..<3).map { Row(number: 30_000_000 + Int64($0), label: "x") }
    let tight = PlannedProvider(id: id("g"), claim: .rest, limit: 5, excess: .dropLowestScore)
    let error = #expect(throws: PlanningError.self) { try plan(blocks + labels, Self.rules([tight])) }
    guard case .noRoom(let shortages) = error?.kind else {
      Issue.record("expected a shortage, got \(String(describing: error))")
      return
    }
    #expect(shortages.map(\.missing) == [1])
  }
}
