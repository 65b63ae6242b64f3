import CallDirectory
import CallLookup
import TestSupport
import Testing

/// The central property: for every number, settings order and on/off subset, the decision over the rows by the words of
/// the rules = over the planned shards = over what real providers delivered into the store.
@Suite struct CentralPropertyTests {
  @Test(
    "the rows by the rules, the planned shards and the store decide alike in every order and on/off subset",
    arguments: [(1, 1), (2, 2), (3, 3), (4, 3), (5, 4), (6, 4), (7, 5), (8, 5), (9, 3), (10, 4)] as [(UInt64, Int)])
  func withoutLimits(seed: UInt64, providers: Int) throws {
    let random = RandomWorld(seed: seed, providers: providers)
    let world = try random.make()
    try world.succeed("apply")
    let placed = random.directory.placed()
    let exported = try world.exported()
    for (expected, found) in zip(placed, exported) {
      #expect(found.id == expected.id)
      #expect(found.blocked == expected.blocked, "seed \(seed), \(expected.id)")
      #expect(found.labels == expected.labels, "seed \(seed), \(expected.id)")
    }
    try compare(random.phone(placed), random.phone(exported), world, seed: seed)
  }

  @Test(
    "R-CAP-1: with limits and spill nothing is lost, nothing is twice, and shards and store decide alike",
    arguments: [21, 22, 23, 24, 25, 26] as [UInt64])
  func withLimits(seed: UInt64) throws {
    let random = RandomWorld(seed: seed, providers: 4, limits: true)
    let world = try random.make()
    let before = try world.state()
    let entries = random.directory.entries
    let run = try world.run("apply")
    let room = random.directory.providers.reduce(0) { $0 + ($1.limit ?? 0) }
    if run.status != 0 || entries.count > room {
      run.expect(65, "find no room; the limit is")
      #expect(try world.state() == before)
      return
    }
    let exported = try world.exported()
    for (provider, planned) in zip(exported, random.directory.providers) {
      #expect(provider.blocked.count + provider.labels.count <= planned.limit ?? 0, "seed \(seed), \(planned.id)")
    }
    for entry in entries {
      let number = PhoneNumber(entry.number)
      let holders = exported.filter {
        entry.isBlock ? $0.blocked.contains(number) : $0.labels[number] == [entry.label]
      }
      #expect(holders.count == 1, "seed \(seed), \(entry)")
      #expect(reachable(entry, random.directory).isSuperset(of: holders.map(\.id.rawValue)), "seed \(seed), \(entry)")
    }
    #expect(exported.reduce(0) { $0 + $1.blocked.count + $1.labels.count } == entries.count)
    try compare(random.phone(exported), random.phone(exported), world, seed: seed)
  }

  @Test("R-WIN-5, R-LIFE-3: real `order`, `disable` and `enable` decide as the naive phone set up that way")
  func realSettings() throws {
    let random = RandomWorld(seed: 31, providers: 3)
    let world = try random.make()
    try world.succeed("apply")
    let phone = random.phone(random.directory.placed())
    let ids = phone.providers.map(\.id)
    for order in ids.permutations {
      try world.succeed("order", order[0].rawValue, order[1].rawValue, order[2].rawValue)
      for on in ids.subsets.shuffled(with: 31).prefix(4) {
        for id in ids { try world.succeed(on.contains(id) ? "enable" : "disable", id.rawValue) }
        let now = phone.ordered(order).switchedOn(Set(on))
        let expected = RandomWorld.numbers.map { now.decide(candidates($0)) }
        let found = try world.lookup(RandomWorld.numbers.map { "+\($0)" })
        #expect(found == expected, "order \(order), on \(on)")
      }
    }
  }

  /// Claimants of an entry and everybody their spills lead to.
  private func reachable(_ entry: NaiveDirectory.Entry, _ directory: NaiveDirectory) -> Set<String> {
    var found: [String] = directory.claimants(entry).map(\.id)
    var next = 0
    while next < found.count {
      let spills = directory.providers.first { $0.id == found[next] }?.spillsTo ?? []
      found += spills.filter { !found.contains($0) }
      next += 1
    }
    return Set(found)
  }

  /// Every order and subset of up to four providers, a sample of orders of five; the tool for a sample of both.
  private func compare(_ rows: ReferencePhone, _ shards: ReferencePhone, _ world: World, seed: UInt64) throws {
    let resolver = try world.resolver()
    let callers = RandomWorld.numbers.map { candidates($0) }
    let ids = rows.providers.map(\.id)
    let orders = ids.count < 5 ? ids.permutations : Array(ids.permutations.shuffled(with: seed).prefix(12))
    for order in orders {
      let reordered = try #require(resolver.reordered(first: order))
      for on in ids.subsets {
        let off = ids.filter { !on.contains($0) }
        let installed = try #require(reordered.without(off))
        let byRows = rows.ordered(order).switchedOn(Set(on))
        let byShards = shards.ordered(order).switchedOn(Set(on))
        for caller in callers {
          let expected = byRows.decide(caller)
          try #require(byShards.decide(caller) == expected, "seed \(seed), order \(order), on \(on), \(caller)")
          try #require(
            installed.resolve(caller).brief == expected, "seed \(seed), order \(order), on \(on), \(caller)")
        }
      }
    }
    for order in orders.shuffled(with: seed).prefix(2) {
      let off = ids.subsets.shuffled(with: seed)[0]
      let options =
        ["--order", order.map(\.rawValue).joined(separator: ",")] + off.flatMap { ["--without", $0.rawValue] }
      let phone = rows.ordered(order).switchedOn(Set(ids).subtracting(off))
      let found = try world.lookup(RandomWorld.numbers.map { "+\($0)" }, options)
      #expect(found == callers.map(phone.decide), "seed \(seed), \(options)")
    }
  }
}

extension Array {
  /// The elements in an order that follows from `seed`.
  func shuffled(with seed: UInt64) -> [Element] {
    var random = SeededGenerator(seed: seed)
    return shuffled(using: &random)
  }
}
