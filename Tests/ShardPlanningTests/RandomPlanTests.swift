import CallDirectory
import PhoneNumbering
import ShardPlanning
import TestSupport
import Testing

/// Random plans against a model that decides one entry at a time, straight from the words of the rules.
@Suite struct RandomPlanTests {
  @Test(arguments: 0..<300) func `A plan without limits places every entry as the model does`(seed: Int) throws {
    var world = World(seed: UInt64(seed), limits: false)
    let (rows, rules) = world.make()
    let (placed, report) = try plan(rows, rules, areas: World.areas)
    for provider in rules.providers {
      #expect(placed[provider.id] == world.expected(provider, rows, rules), "seed \(seed), \(provider.id)")
    }
    #expect(report.accounts.filter { !$0.isBalanced }.isEmpty)
    #expect(report.accounts.reduce(0) { $0 + $1.read } == rows.reduce(0) { $0 + max(1, $1.action.families.count) })
  }

  @Test(arguments: 0..<300) func `A plan with limits keeps them, loses nothing, and fails only when it must`(
    seed: Int
  ) throws {
    var world = World(seed: 1_000_000 + UInt64(seed), limits: true)
    let (rows, rules) = world.make()
    let unlimited = PlanningRules(
      providers: rules.providers.map {
        PlannedProvider(id: $0.id, claim: $0.claim, spillsTo: $0.spillsTo, mayBeEmpty: true)
      },
      sources: rules.sources, overlaps: .collapse)
    let wanted = try plan(rows, unlimited, areas: World.areas).placed.values.reduce(0) { $0 + $1.entries }
    do {
      let (placed, _) = try plan(rows, rules, areas: World.areas)
      for provider in rules.providers { #expect((placed[provider.id]?.entries ?? 0) <= provider.limit, "seed \(seed)") }
      #expect(placed.values.reduce(0) { $0 + $1.entries } == wanted, "seed \(seed)")
      let blocks = placed.values.flatMap(\.blocked)
      #expect(Set(blocks).count == blocks.count, "seed \(seed): a block twice")
    } catch let error as PlanningError {
      guard case .noRoom(let shortages) = error.kind else { throw error }
      #expect(shortages.reduce(0) { $0 + $1.missing } == wanted - world.mostThatFit(rows, rules), "seed \(seed)")
    }
  }
}
