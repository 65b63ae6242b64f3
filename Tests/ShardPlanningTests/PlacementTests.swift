import CallDirectory
import PhoneNumbering
import ShardPlanning
import TestSupport
import Testing

private func rules(
  _ providers: [PlannedProvider], sources: [String] = ["rows"], overlaps: OverlapRule = .collapse,
  unclaimed: UnclaimedRule = .error
) -> PlanningRules {
  PlanningRules(providers: providers, sources: sources, overlaps: overlaps, unclaimed: unclaimed)
}

private func matching(_ clause: ClaimClause) -> Claim { .matching(all: clause, anyOf: []) }

@Suite struct PlacementTests {
  @Test func `Equal numbers merge: the label of the first row that has one, areas and sources of all`() throws {
    let rows = [
      Row(number: 74950000001, area: 1), Row(number: 74950000001, area: 2, label: "second"),
      Row(number: 74950000001, area: 1, label: "third"),
    ]
    let claimsArea2 = PlannedProvider(id: id("a"), claim: matching(ClaimClause(areas: ["two"])))
    let (placed, report) = try plan(rows, rules([claimsArea2]), areas: ["", "one", "two"])
    #expect(placed[id("a")]?.labels == [74950000001: "second"])
    #expect(report.accounts[0].used == 1)
    #expect(report.accounts[0].merged == 2)
    #expect(report.conflictingLabels == 1)
  }

  @Test func `Keys of a claim all hold, alternatives one of them`() throws {
    let claim = Claim.matching(
      all: ClaimClause(prefixes: ["7"]),
      anyOf: [ClaimClause(areas: ["one"]), ClaimClause(ranges: [PhoneNumber(74960000000)...PhoneNumber(74969999999)])])
    let providers = [PlannedProvider(id: id("a"), claim: claim), PlannedProvider(id: id("rest"), claim: .rest)]
    let rows = [
      Row(number: 74950000001, area: 1, label: "area"), Row(number: 74960000001, label: "range"),
      Row(number: 74970000001, label: "neither"), Row(number: 12025550123, area: 1, label: "no prefix"),
    ]
    let (placed, _) = try plan(rows, rules(providers), areas: ["", "one"])
    #expect(placed[id("a")]?.labels.keys.sorted() == [74950000001, 74960000001])
    #expect(placed[id("rest")]?.labels.keys.sorted() == [12025550123, 74970000001])
  }

  @Test func `Identification and block of a number are claimed each by itself`() throws {
    let providers = [
      PlannedProvider(id: id("labels"), claim: matching(ClaimClause(actions: [.identify]))),
      PlannedProvider(id: id("blocks"), claim: matching(ClaimClause(actions: [.block]))),
    ]
    let (placed, report) = try plan([Row(number: 12025550123, action: .both, label: "x")], rules(providers))
    #expect(placed[id("labels")] == Placed(blocked: [], labels: [12025550123: "x"]))
    #expect(placed[id("blocks")] == Placed(blocked: [12025550123], labels: [:]))
    #expect(report.accounts[0].read == 2)
    #expect(report.accounts[0].used == 2)
  }

  @Test func `B-077 allow takes the block and keeps the label, remove takes all, whatever source says it`() throws {
    let rows = [
      Row(number: 1_111_111_1, action: .both, label: "kept"), Row(number: 1_111_111_1, action: .allow, source: 1),
      Row(number: 2_222_222_2, action: .both, label: "gone"), Row(number: 2_222_222_2, action: .remove, source: 1),
      Row(number: 3_333_333_3, action: .allow, source: 1),
    ]
    let (placed, report) = try plan(
      rows, rules([PlannedProvider(id: id("a"), claim: .rest)], sources: ["rows", "ours"]))
    #expect(placed[id("a")] == Placed(blocked: [], labels: [11_111_111: "kept"]))
    #expect(report.cuts.allowed == 1)
    #expect(report.cuts.removed == 1)
    #expect(report.cuts.withoutEffect == 1)
    #expect(report.cuts.withoutEffectSamples == [PhoneNumber(33_333_333)])
    #expect(report.accounts[0].removed == 3)
    #expect(report.accounts[0].used == 1)
    #expect(report.accounts[1].used == 3)
    #expect(report.accounts.filter { !$0.isBalanced }.isEmpty)
  }

  @Test func `B-133 an identification row without any label is refused and its place is known`() throws {
    let rows = [Row(number: 11_111_111), Row(number: 22_222_222, label: "x"), Row(number: 11_111_111)]
    let (placed, report) = try plan(rows, rules([PlannedProvider(id: id("a"), claim: .rest)]))
    #expect(placed[id("a")]?.labels.count == 1)
    #expect(report.accounts[0].refused == 2)
    #expect(report.unlabelled.map(\.line) == [1, 3])
  }

  @Test func `Collapse gives an entry to the first claimant, keep to each with a label of its own sources`() throws {
    let providers = [
      PlannedProvider(id: id("a"), claim: matching(ClaimClause(sources: ["one"]))),
      PlannedProvider(id: id("b"), claim: matching(ClaimClause(sources: ["two"]))),
    ]
    let rows = [
      Row(number: 11_111_111, source: 0, label: "of one"), Row(number: 11_111_111, source: 1, label: "of two"),
    ]
    let collapsed = try plan(rows, rules(providers, sources: ["one", "two"])).placed
    #expect(collapsed[id("a")]?.labels == [11_111_111: "of one"])
    #expect(collapsed[id("b")]?.labels == [:])
    let (kept, report) = try plan(rows, rules(providers, sources: ["one", "two"], overlaps: .keep))
    #expect(kept[id("a")]?.labels == [11_111_111: "of one"])
    #expect(kept[id("b")]?.labels == [11_111_111: "of two"])
    #expect(report.overlaps.map { [$0.first, $0.second] } == [[id("a"), id("b")]])
    #expect(report.overlaps.map(\.entries) == [EntryCounts(identification: 1)])
    #expect(report.accounts.map(\.used) == [1, 0])
    #expect(report.accounts.map(\.merged) == [0, 1])
  }

  @Test(arguments: [(5, 2, [2, 2, 1]), (6, 2, [2, 2, 2]), (1, 2, [1, 0, 0])])
  func `B-063 B-064 what is over a limit spills along the chain in order of number`(
    rows: Int, limit: Int, expected: [Int]
  ) throws {
    let providers = [
      PlannedProvider(id: id("a"), claim: .rest, limit: limit, spillsTo: [id("b")]),
      PlannedProvider(id: id("b"), claim: matching(ClaimClause(prefixes: ["999"])), limit: limit, spillsTo: [id("c")]),
      PlannedProvider(id: id("c"), claim: matching(ClaimClause(prefixes: ["998"])), limit: limit),
    ]
    let (placed, report) = try plan(
      (0..<rows).map { Row(number: 20_000_000 + Int64($0), label: "x") }, rules(providers))
    #expect(["a", "b", "c"].map { placed[id($0)]?.entries } == expected)
    #expect(placed[id("a")]?.labels.keys.sorted().first == 20_000_000)
    #expect(report.providers.map(\.spilledIn) == [0, expected[1], expected[2]])
  }

  @Test func `B-057 blocks take their room first, and both families share the limit`() throws {
    let providers = [
      PlannedProvider(id: id("a"), claim: .rest, limit: 3, spillsTo: [id("b")]),
      PlannedProvider(id: id("b"), claim: matching(ClaimClause(prefixes: ["999"])), limit: 2),
    ]
    let rows =
      (0..<3).map { Row(number: 20_000_000 + Int64($0), label: "x") }
      + (0..<2).map { Row(number: 30_000_000 + Int64($0), action: .block) }
    let (placed, _) = try plan(rows, rules(providers))
    #expect(placed[id("a")] == Placed(blocked: [30_000_000, 30_000_001], labels: [20_000_000: "x"]))
    #expect(placed[id("b")]?.labels.keys.sorted() == [20_000_001, 20_000_002])
  }

  @Test func `B-058 B-060 one entry too many fails the plan, says by how many, and 1,999,999 fit`() throws {
    let tight = PlannedProvider(id: id("a"), claim: .rest, limit: 3)
    let four = (0..<4).map { Row(number: 20_000_000 + Int64($0), label: "x") }
    let fitting = try plan(Array(four.dropLast()), rules([tight])).placed
    #expect(fitting[id("a")]?.entries == 3)
    let error = #expect(throws: PlanningError.self) { try plan(four, rules([tight])) }
    guard case .noRoom(let shortages) = error?.kind else {
      Issue.record("expected a shortage, got \(String(describing: error))")
      return
    }
    #expect(shortages.map(\.missing) == [1])
    #expect(
      error?.description == "providers: a: 1 of 4 entries (0 blocking, 4 identification) find no room; the limit is 3")
  }

  @Test func `Under keep each claimant's copies are counted against its own limit`() throws {
    let providers = ["a", "b"].map {
      PlannedProvider(id: id($0), claim: matching(ClaimClause(prefixes: ["2"])), limit: $0 == "a" ? 4 : 3)
    }
    let four = (0..<4).map { Row(number: 20_000_000 + Int64($0), label: "x") }
    let error = #expect(throws: PlanningError.self) { try plan(four, rules(providers, overlaps: .keep)) }
    #expect(
      error?.description == "providers: b: 1 of 4 entries (0 blocking, 4 identification) find no room; the limit is 3")
  }

  @Test func `Under keep a copy without room is left to the spill target that claims the entry too`() throws {
    let providers = [
      PlannedProvider(id: id("a"), claim: matching(ClaimClause(prefixes: ["20"])), limit: 1, spillsTo: [id("b")]),
      PlannedProvider(id: id("b"), claim: matching(ClaimClause(prefixes: ["2"])), limit: 3),
    ]
    let rows = (0..<3).map { Row(number: 20_000_000 + Int64($0), label: "x") }
    let (placed, report) = try plan(rows, rules(providers, overlaps: .keep))
    #expect(placed[id("a")]?.labels.keys.sorted() == [20_000_000])
    #expect(placed[id("b")]?.labels.keys.sorted() == [20_000_000, 20_000_001, 20_000_002])
    #expect(report.providers.map(\.leftToOthers) == [2, 0])
    #expect(report.accounts[0].used == 3)
    // The target itself must have room: its copy is the one that counts.
    var full = providers
    full[1].limit = 2
    #expect(throws: PlanningError.self) { try plan(rows, rules(full, overlaps: .keep)) }
  }

  @Test func `Entries with one claimant keep their room when others could go elsewhere`() throws {
    let providers = [
      PlannedProvider(id: id("a"), claim: matching(ClaimClause(prefixes: ["2"])), limit: 2),
      PlannedProvider(id: id("b"), claim: matching(ClaimClause(prefixes: ["20"])), limit: 2),
    ]
    // Both 20… could go to a or b, both 21… only to a.
    let rows = [20_000_000, 20_000_001, 21_000_000, 21_000_001].map { Row(number: $0, label: "x") }
    let (placed, _) = try plan(rows, rules(providers))
    #expect(placed[id("a")]?.labels.keys.sorted() == [21_000_000, 21_000_001])
    #expect(placed[id("b")]?.labels.keys.sorted() == [20_000_000, 20_000_001])
  }

  @Test func `Unclaimed entries fail the plan with samples; only identifications can be dropped`() throws {
    let provider = PlannedProvider(id: id("a"), claim: matching(ClaimClause(prefixes: ["7"])))
    let label = Row(number: 12025550123, label: "x")
    let error = #expect(throws: PlanningError.self) { try plan([label], rules([provider])) }
    #expect(error?.description.contains("+12025550123") == true)
    let (_, report) = try plan([label], rules([provider], unclaimed: .drop))
    #expect(report.accounts[0].unclaimed == 1)
    let block = Row(number: 12025550124, action: .block)
    #expect(throws: PlanningError.self) { try plan([block], rules([provider], unclaimed: .drop)) }
  }

  @Test func `An area that matches no row is an error with the nearest, unless it may be empty`() throws {
    var provider = PlannedProvider(id: id("a"), claim: matching(ClaimClause(areas: ["Москва", "Казань"])))
    let rows = [Row(number: 74950000001, area: 1, label: "x")]
    let areas = ["", "Москва", "Казан"]
    let error = #expect(throws: PlanningError.self) { try plan(rows, rules([provider]), areas: areas) }
    #expect(error?.description == "providers[a].areas: no row has the area \"Казань\"")
    provider.mayBeEmpty = true
    let accepted = try plan(rows, rules([provider]), areas: areas).placed
    #expect(accepted[id("a")]?.entries == 1)
  }

  @Test func `A prefix claims numbers of every length that begin with it and no others`() throws {
    let providers = [
      PlannedProvider(id: id("a"), claim: matching(ClaimClause(prefixes: ["49", "7495"]))),
      PlannedProvider(id: id("rest"), claim: .rest),
    ]
    let inside: [Int64] = [49, 490_000_00, 493_023_125_001, 499_999_999_999_999, 7495, 74_951_234_567]
    let outside: [Int64] = [4, 48_999_999, 50_000_000, 74_961_234_567, 7494, 1, .max]
    let (placed, _) = try plan((inside + outside).map { Row(number: $0, label: "x") }, rules(providers))
    #expect(placed[id("a")]?.labels.keys.sorted() == inside.sorted())
    #expect(placed[id("rest")]?.labels.keys.sorted() == outside.sorted())
  }
}
