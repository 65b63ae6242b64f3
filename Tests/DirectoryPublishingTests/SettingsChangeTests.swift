import CallDirectory
import DirectoryPublishing
import PositionedJSON
import ShardFormat
import TestSupport
import Testing

/// What is lost or changes when a user changes the settings.
@Suite struct SettingsChangeTests {
  private static func ids(_ texts: [String]) -> [ProviderID] { texts.compactMap { ProviderID($0) } }

  private static func preview(_ world: World, without: [String] = [], order: [String] = []) throws -> SettingsEffect? {
    var options = PublishingOptions()
    options.settings = SettingsChange(without: ids(without), order: ids(order))
    return try world.publisher(options).preview().settingsEffect
  }

  private static func small(_ overlaps: String, more: String = "") throws -> World {
    let world = try World()
    try world.plan(
      sources: ["rows", "mine"],
      providers: #"{"id": "a", "sources": ["mine"]}, {"id": "b", "prefixes": ["+7"]}\#(more)"#,
      more: #""overlaps": "\#(overlaps)","#)
    try world.write(
      [
        World.Row(phone: "+74951000001", label: "one"), World.Row(phone: "+74951000002", label: "two", kind: "both"),
        World.Row(phone: "+74951000003", kind: "block"),
      ], to: "rows")
    try world.write(
      [World.Row(phone: "+74951000001", label: "uno"), World.Row(phone: "+74951000004", label: "four", kind: "both")],
      to: "mine")
    return world
  }

  @Test func `Switched off, what only that provider has is lost, and the rest shows the next label`() throws {
    let world = try Self.small("keep")
    let effect = try #require(try Self.preview(world, without: ["b"]))
    #expect(effect.numbers == 4)
    #expect(effect.lostLabels.samples.map(\.number.rawValue) == [74_951_000_002])
    #expect(effect.lostLabels.samples.map(\.label) == ["two"])
    #expect(effect.lostBlocks.samples.map(\.number.rawValue) == [74_951_000_002, 74_951_000_003])
    #expect(effect.lostBlocks.samples.map(\.provider.rawValue) == ["b", "b"])
    #expect(effect.changedLabels.count == 0)
    let other = try #require(try Self.preview(world, without: ["a"]))
    #expect(other.lostLabels.count == 0 && other.lostBlocks.count == 0)
    #expect(
      other.changedLabels.samples == [
        SettingsEffect.Shown(
          number: PhoneNumber(74_951_000_001), label: "uno", provider: Self.ids(["a"])[0], newLabel: "one",
          newProvider: Self.ids(["b"])[0])
      ])
    let order = try #require(try Self.preview(world, order: ["b", "a"]))
    #expect(order.changedLabels.count == 1 && order.lostLabels.count == 0 && order.lostBlocks.count == 0)
    #expect(try Self.preview(world, order: ["a"])?.changedLabels.count == 0)
    #expect(try Self.preview(world) == nil || world.publisher().preview().settingsEffect == nil)
  }

  @Test func `Under collapse no order changes anything`() throws {
    let world = try Self.small("collapse")
    let effect = try #require(try Self.preview(world, order: ["b", "a"]))
    #expect(effect.changedLabels.count == 0 && effect.lostLabels.count == 0 && effect.lostBlocks.count == 0)
  }

  @Test func `A provider that starts off shows nothing before the change, either`() throws {
    let world = try Self.small("keep", more: #", {"id": "c", "rest": true, "enabled": false}"#)
    try world.write([World.Row(phone: "+39061234567", label: "Roma")], to: "rows")
    let effect = try #require(try Self.preview(world, without: ["c"]))
    #expect(effect.lostLabels.count == 0 && effect.numbers == 2)
  }

  @Test(
    arguments: [
      (["x"], [], "without", "names a provider that is not there: x"),
      ([], ["a", "x"], "order", "names a provider that is not there: x"),
      ([], ["a", "a"], "order", "names a provider twice: a"), ([], ["g-2", "g"], "order", "names a provider twice: g"),
      (["g-3"], [], "without", "names a provider that is not there: g-3"),
      (["crm"], [], "without", "names crm, which has data of its own that the plan does not know"),
    ] as [([String], [String], String, String)])
  func `What is not there, or twice, or unknown to the plan is refused`(
    without: [String], order: [String], option: String, what: String
  ) throws {
    let world = try Self.small(
      "keep", more: #", {"id": "g", "rest": true, "count": 2}, {"id": "crm", "library": "libCRM.so"}"#)
    let error = #expect(throws: SettingsChangeError.self) { try Self.preview(world, without: without, order: order) }
    #expect(error?.option == option && error?.what == what)
  }

  @Test func `An id stands for all its copies, also of an auto group, whose copies are known late`() throws {
    let world = try World()
    try world.plan(sources: ["rows"], providers: #"{"id": "g", "rest": true, "count": "auto", "limit": 4}"#)
    try world.write((0..<9).map { World.Row(phone: "+7495100000\($0)", label: "label \($0)") }, to: "rows")
    let all = try #require(try Self.preview(world, without: ["g"]))
    #expect(all.lostLabels.count == 9 && all.change.without.map(\.rawValue) == ["g-1", "g-2", "g-3"])
    #expect(all.lostLabels.samples.count == 5)
    #expect(try Self.preview(world, without: ["g-3"])?.lostLabels.count == 3)
    #expect(throws: SettingsChangeError.self) { try Self.preview(world, without: ["g-4"]) }
  }

  @Test(arguments: 0..<40) func `The effect on random directories is that on the shards, decided number by number`(
    seed: Int
  ) throws {
    let world = try World()
    var random = RandomWorld(seed: 88_000 + UInt64(seed))
    try random.write(to: world, overlaps: seed % 4 == 0 ? "collapse" : "keep")
    guard let manifest = try? world.publish().candidate.manifest else { return }
    let contents = try world.contents(manifest)
    let all = manifest.providers.map(\.id)
    var generator = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<6 {
      let order = Array(all.shuffled(using: &generator).prefix(Int.random(in: 0...all.count, using: &generator)))
      let without = all.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
      var options = PublishingOptions()
      options.settings = SettingsChange(without: without, order: order)
      let effect = try world.publisher(options).preview().settingsEffect
      let changed = (order + all.filter { !order.contains($0) }).filter { !without.contains($0) }
      func label(_ number: Int64, _ order: [ProviderID]) -> String? {
        order.lazy.compactMap { contents[$0]?[number] }.first { $0.families.contains(.identified) }?.label
      }
      func isBlocked(_ number: Int64, _ order: [ProviderID]) -> Bool {
        order.contains { contents[$0]?[number]?.families.contains(.blocked) ?? false }
      }
      let numbers = Set(contents.values.flatMap(\.keys)).sorted()
      let lost = numbers.filter { label($0, all) != nil && label($0, changed) == nil }
      let others = numbers.filter { number in
        if let new = label(number, changed) { new != label(number, all) } else { false }
      }
      let blocks = numbers.filter { isBlocked($0, all) && !isBlocked($0, changed) }
      if without.isEmpty, order.isEmpty { continue }
      let found = try #require(effect)
      #expect(found.numbers == numbers.count)
      for (group, expected) in [(found.lostLabels, lost), (found.changedLabels, others), (found.lostBlocks, blocks)] {
        #expect(group.count == expected.count, "seed \(seed)")
        #expect(group.samples.map(\.number.rawValue) == Array(expected.prefix(5)), "seed \(seed)")
      }
    }
  }
}
