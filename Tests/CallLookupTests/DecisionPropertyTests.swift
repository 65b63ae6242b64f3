import CallDirectory
import CallLookup
import TestSupport
import Testing

@Suite struct DecisionPropertyTests {
  @Test(
    "R-WIN-1, R-WIN-2, R-WIN-3, R-MAT-4: in every order and on/off subset both ways to a decision agree with the naive phone",
    arguments: [(1, 1), (2, 2), (3, 3), (4, 3), (5, 4), (6, 5)] as [(UInt64, Int)])
  func everyOrderAndSubset(seed: UInt64, providers: Int) throws {
    let world = World(seed: seed, providers: providers)
    let ids = world.phone.providers.map(\.id)
    var random = SeededGenerator(seed: seed)
    for order in ids.permutations {
      for on in ids.subsets {
        let now = World(world.phone.ordered(order).switchedOn(Set(on)))
        let resolver = now.resolver
        let callers =
          providers < 4 ? World.callers : (0..<3).compactMap { _ in World.callers.randomElement(using: &random) }
        for caller in callers {
          let expected = now.phone.decide(caller)
          let decision = resolver.resolve(caller)
          try #require(decision.brief == expected, "seed \(seed), order \(order), on \(on), caller \(caller)")
          try #require(resolver.briefly(caller) == expected, "seed \(seed), order \(order), on \(on), caller \(caller)")
          try checkTrace(decision, of: now.phone, caller)
        }
      }
    }
  }

  @Test("what-if by `reordered` and `without` equals a phone set up that way", arguments: 1...20 as ClosedRange<UInt64>)
  func whatIf(seed: UInt64) throws {
    let world = World(seed: seed, providers: 4)
    let ids = world.phone.providers.map(\.id)
    var random = SeededGenerator(seed: seed)
    let order = ids.shuffled(using: &random)
    let without = Array(ids.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)))
    let changed = try #require(world.resolver.reordered(first: order)?.without(without))
    let phone = world.phone.ordered(order).switchedOn(Set(ids).subtracting(without))
    for caller in World.callers { #expect(changed.resolve(caller).brief == phone.decide(caller)) }
  }

  /// What a trace has to say whatever the world: the outcomes are those of the decision, and no others.
  private func checkTrace(_ decision: CallDecision, of phone: ReferencePhone, _ caller: LookupCandidates) throws {
    try #require(decision.providers.map(\.id) == phone.providers.map(\.id))
    try #require(decision.providers.map(\.position) == Array(phone.providers.indices.map { $0 + 1 }))
    for (row, provider) in zip(decision.providers, phone.providers) {
      let labels = caller.identification.flatMap { provider.labels[$0] ?? [] }
      try #require(row.blocks == caller.blocking.contains { provider.blocked.contains($0) })
      try #require(row.labels == labels)
      try #require((row.blockOutcome != nil) == row.blocks)
      try #require((row.labelOutcome != nil) == !labels.isEmpty)
      try #require((row.blockOutcome == .decides) == (decision.blockedBy == row.id))
      let isShown = row.labelOutcome == .shown || row.labelOutcome == .shownIfNotBlocked
      try #require(isShown == (decision.labelFrom == row.id))
      try #require((row.outcome == "nothing") == (provider.isOn && !row.blocks && labels.isEmpty))
      try #require(row.outcome.hasPrefix("off") == !provider.isOn)
    }
  }
}
