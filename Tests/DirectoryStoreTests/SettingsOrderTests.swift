import CallDirectory
import CallLookup
import DirectoryStore
import TestSupport
import Testing

@Suite struct StoredOrderTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private func order() throws -> [String] { try fixture.store.read().order.ids.map(\.rawValue) }

  @Test("R-WIN-4, B-086: the plan's order stands, then libraries dropped in, until `order` is used and after a reset")
  func planOrder() throws {
    try fixture.change { transaction in
      transaction.addDroppedIn(id("z"), title: "Z", library: nil)
      transaction.setPlan(StoreFixture.plan, providers: StoreFixture.entries("b", "a"))
      transaction.addDroppedIn(id("y"), title: "Y", library: nil)
    }
    #expect(try order() == ["b", "a", "z", "y"])
    try fixture.change { $0.setPlan(StoreFixture.plan, providers: StoreFixture.entries("a", "b")) }
    #expect(try order() == ["a", "b", "z", "y"])
    try fixture.change { try $0.order([id("y"), id("b")]) }
    #expect(try order() == ["y", "b", "a", "z"])
    try fixture.change { $0.setPlan(StoreFixture.plan, providers: StoreFixture.entries("b", "a")) }
    #expect(try order() == ["y", "b", "a", "z"])
    try fixture.change { $0.resetOrder() }
    #expect(try order() == ["b", "a", "z", "y"])
  }

  @Test("R-WIN-4: providers new to the store come at the end of an order that was set, several in the plan's order")
  func newProviders() throws {
    try fixture.change { $0.setPlan(StoreFixture.plan, providers: StoreFixture.entries("b", "a")) }
    try fixture.change { try $0.order([id("a"), id("b")]) }
    try fixture.change { $0.addDroppedIn(id("x"), title: "X", library: nil) }
    try fixture.change { $0.setPlan(StoreFixture.plan, providers: StoreFixture.entries("d", "b", "a", "c")) }
    #expect(try order() == ["a", "b", "x", "d", "c"])
  }

  @Test("a provider that the new plan no longer names goes with its data; one dropped in stays")
  func removedFromPlan() throws {
    try fixture.install(.init("a", labels: [5]), .init("b", labels: [5]))
    try fixture.change { $0.addDroppedIn(id("x"), title: "X", library: nil) }
    try fixture.change { try $0.order([id("x"), id("a"), id("b")]) }
    try fixture.change { transaction in
      #expect(transaction.setPlan(StoreFixture.plan, providers: StoreFixture.entries("b")) == [id("a")])
    }
    #expect(try order() == ["x", "b"])
    #expect(try fixture.generationFiles().count == 1)
    #expect(try fixture.resolver().resolve(caller(5)).label == "5 of b")
  }

  @Test("R-WIN-5: re-ordering keeps ids, titles, switches and data, and swaps the label")
  func reorder() throws {
    try fixture.install(.init("a", labels: [5]), .init("b", labels: [5]))
    let before = try fixture.store.read()
    #expect(try fixture.resolver().resolve(caller(5)).label == "5 of a")
    try fixture.change { try $0.order([id("b")]) }
    #expect(try fixture.resolver().resolve(caller(5)).label == "5 of b")
    #expect(try fixture.store.read().providers == before.providers)
  }

  @Test("an order that names a provider twice is refused and changes nothing")
  func repeated() throws {
    try fixture.install(.init("a"), .init("b"))
    let transaction = try fixture.store.beginWriting(command: "test")
    let error = #expect(throws: StoreError.self) { try transaction.order([id("b"), id("b")]) }
    #expect(error?.kind == .repeatedProvider)
    #expect(transaction.contents.order.ids == [id("a"), id("b")])
  }

  @Test(
    "R-WIN-4: shuffling by seed gives the same order for the same seed, every provider once, and many orders in all")
  func shuffle() throws {
    let names = ["a", "b", "c", "d"]
    try fixture.change { transaction in
      transaction.setPlan(StoreFixture.plan, providers: names.map { .init(id: id($0), title: $0, library: nil) })
    }
    let transaction = try fixture.store.beginWriting(command: "test")
    var seen: Set<[ProviderID]> = []
    for seed: UInt64 in 0..<300 {
      transaction.shuffleOrder(seed: seed)
      let order = transaction.contents.order.ids
      seen.insert(order)
      #expect(Set(order) == Set(names.map(id)))
      transaction.shuffleOrder(seed: seed)
      #expect(transaction.contents.order.ids == order)
    }
    #expect(seen.count == 24)
  }
}
