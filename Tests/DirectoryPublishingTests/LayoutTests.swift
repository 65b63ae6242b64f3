import CallDirectory
import Digests
import DirectoryPublishing
import Foundation
import PlanFile
import PositionedJSON
import ShardPlanning
import Synchronization
import TestSupport
import Testing

/// Several splits of the same rows.
@Suite struct LayoutTests {
  /// What each provider has, in words that can be compared.
  private static func contents(_ world: World, _ view: ReleaseManifest) throws -> [String: [Int64: String]] {
    var contents: [String: [Int64: String]] = [:]
    for (id, entries) in try world.contents(view) {
      contents[id.rawValue] = entries.mapValues { "\($0.families.rawValue) \($0.label)" }
    }
    return contents
  }

  private static func providers(_ random: inout SeededGenerator, _ ids: [String]) -> String {
    let claims = [#""areas": ["north"]"#, #""areas": ["south"]"#, #""sources": ["a"]"#, #""prefixes": ["+74951"]"#]
    var providers = ids.shuffled(using: &random).prefix(Int.random(in: 1...ids.count, using: &random)).map { id in
      let spill =
        Bool.random(using: &random)
        ? #", "limit": \#(Int.random(in: 1...8, using: &random)), "spillsTo": ["rest"]"# : ""
      return #"{"id": "\#(id)", "mayBeEmpty": true, \#(claims.randomElement(using: &random) ?? "")\#(spill)}"#
    }
    providers.append(#"{"id": "rest", "rest": true}"#)
    return providers.joined(separator: ", ")
  }

  @Test func `Each layout gets what a plan with its providers would, on the first day and on the next`() throws {
    for seed in 0..<25 {
      var random = SeededGenerator(seed: UInt64(seed))
      var rows = RandomWorld(seed: UInt64(seed))
      let overlaps = seed % 2 == 0 ? "keep" : "collapse"
      let splits = (0..<3).map { _ in Self.providers(&random, ["x", "y", "z"]) }
      let world = try World()
      let more =
        #""overlaps": "\#(overlaps)", "layouts": {"one": {"providers": [\#(splits[1])]}, "two": {"providers": [\#(splits[2])]}},"#
      try world.plan(sources: ["a"], providers: splits[0], more: more)
      let alone = try splits.map { split in
        let world = try World()
        try world.plan(sources: ["a"], providers: split, more: #""overlaps": "\#(overlaps)","#)
        return world
      }
      for day in 1...3 {
        let written = rows.rows(100)
        for world in [world] + alone { try world.write(written, to: "a") }
        let preview = try world.publisher().preview()
        let (candidate, report) = try world.publish()
        let release = try #require(try world.shards.current())
        for (index, layout) in [nil, "one", "two"].enumerated() {
          let own = try alone[index].publish().report
          let view = try #require(release.view(of: layout))
          let expected = try #require(try alone[index].shards.current())
          #expect(try Self.contents(world, view) == Self.contents(alone[index], expected), "seed \(seed) day \(day)")
          #expect(view.accounts == expected.accounts && view.overlaps == expected.overlaps)
          for found in [report, preview] {
            let part = index == 0 ? found : found.layouts[index - 1].report
            #expect(part.moved == own.moved && part.reloads == own.reloads, "seed \(seed) day \(day)")
            #expect(part.providers.map(\.placement) == own.providers.map(\.placement))
            #expect(part.startingOff == own.startingOff)
          }
        }
        #expect(candidate.isUnchanged == false || day > 1)
        #expect(world.shards.verify(release).isEmpty, "seed \(seed)")
        #expect(try ReleaseManifest(json: release.encoded(), file: "manifest.json") == release)
        #expect(report.layouts.map(\.startingOff) == preview.layouts.map(\.startingOff))
      }
      #expect(try world.publish().candidate.isUnchanged)
    }
  }

  @Test func `What moves into providers that a layout's phones do not have is counted, entry by entry`() throws {
    for seed in 100..<130 {
      var random = SeededGenerator(seed: UInt64(seed))
      var rows = RandomWorld(seed: UInt64(seed))
      let world = try World()
      let layout = Self.providers(&random, ["x", "y"])
      try world.plan(
        sources: ["a"], providers: Self.providers(&random, ["x", "y", "new", "other"]),
        more:
          #""overlaps": "\#(seed % 2 == 0 ? "keep" : "collapse")", "layouts": {"old": {"providers": [\#(layout)]}},"#)
      try world.write(rows.rows(150), to: "a")
      let report = try world.publish().report
      let release = try #require(try world.shards.current())
      let before = try world.contents(try #require(release.view(of: "old")))
      let after = try world.contents(try #require(release.view(of: nil)))
      var expected: [ProviderID: EntryCounts] = [:]
      for (family, match) in [(EntryFamily.blocking, DirectoryMatch.blocked), (.identification, .identified)] {
        let had = Set(before.values.flatMap { $0.filter { $0.value.families.contains(match) }.keys })
        for number in had {
          let holders = release.providers.map(\.id).filter { after[$0]?[number]?.families.contains(match) ?? false }
          guard let first = holders.first, !holders.contains(where: { before[$0] != nil }) else { continue }
          expected[first, default: EntryCounts()][family] += 1
        }
      }
      let found = report.layouts[0].startingOff
      #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.provider, $0.entries) }) == expected, "seed \(seed)")
      #expect(found.allSatisfy { $0.origin == .layout("old") && !$0.samples.isEmpty && $0.samples.count <= 5 })
    }
  }

  private static func cities(_ providers: String, _ more: String = "") throws -> World {
    let world = try World()
    try world.plan(sources: ["a"], providers: providers, more: more)
    try world.write(
      (0..<6).map { World.Row(phone: "+7495100000\($0)", label: "m\($0)", area: $0 < 4 ? "Moscow" : "Kazan") }, to: "a")
    return world
  }

  @Test func `A provider that is new since the release before starts off, and what it takes over is told`() throws {
    let world = try Self.cities(#"{"id": "all", "prefixes": ["+7"]}"#)
    #expect(try world.publish().report.startingOff.isEmpty, "there were no phones before")
    try world.plan(
      sources: ["a"], providers: #"{"id": "kazan", "areas": ["Kazan"]}, {"id": "all", "prefixes": ["+7"]}"#)
    // Entries keep their places, so nothing moves by itself.
    #expect(try world.publisher().preview().startingOff.isEmpty)
    var options = PublishingOptions()
    options.base = .fresh
    let preview = try world.publisher(options).preview()
    let moved = try #require(preview.startingOff.first)
    #expect(preview.startingOff.count == 1 && moved.origin == .release(1) && moved.provider.rawValue == "kazan")
    #expect(moved.entries == EntryCounts(identification: 2))
    #expect(moved.samples.map(\.rawValue) == [74_951_000_004, 74_951_000_005])
    #expect(try world.publish(options).report.startingOff == [moved])
    // A number that is new goes nowhere that phones lose it from.
    try world.write([World.Row(phone: "+74951000009", label: "new", area: "Kazan")], to: "a")
    #expect(try world.publish(options).report.startingOff.isEmpty)
  }

  @Test func `Layouts share the shards that say the same, under whatever id, and each file is there once`() throws {
    let layouts =
      #""layouts": {"old": {"providers": [{"id": "m", "areas": ["Moscow"]}, {"id": "k", "rest": true}]}, "#
      + #""older": {"providers": [{"id": "all", "rest": true}]}},"#
    let world = try Self.cities(#"{"id": "moscow", "areas": ["Moscow"]}, {"id": "k", "rest": true}"#, layouts)
    let preview = try world.publisher().preview()
    let report = try world.publish().report
    #expect(report.layouts.map(\.shared) == [2, 0] && preview.layouts.map(\.shared) == [2, 0])
    let release = try #require(try world.shards.current())
    #expect(release.layouts[0].providers.map(\.file) == release.providers.map(\.file))
    #expect(release.files.count == 3)
    #expect(Set(try world.files().keys) == Set(release.files + ["manifest.json", "releases/1.json"]))
    // Damage is told once, though two splits have the file.
    try FileManager.default.removeItem(atPath: world.shards.shardPath(release.providers[0].file))
    #expect(world.shards.verify(release).count == 1)
    try FileManager.default.removeItem(atPath: world.shards.shardPath(release.layouts[1].providers[0].file))
    #expect(world.shards.verify(release).count == 2)
  }

  @Test func `A layout that cannot be carried out fails the plan and is named`() throws {
    let full = try Self.cities(
      #"{"id": "all", "rest": true}"#, #""layouts": {"old": {"providers": [{"id": "all", "rest": true, "limit": 4}]}},"#
    )
    let room = #expect(throws: PlanningError.self) { try full.publish() }
    #expect(room?.keyPath == "layouts.old.providers" && room?.message.contains("2 of 6 entries") == true)
    #expect(try full.files().isEmpty)
    let area = try Self.cities(
      #"{"id": "all", "rest": true}"#,
      #""layouts": {"old": {"providers": [{"id": "m", "areas": ["Moskow"]}, {"id": "all", "rest": true}]}},"#)
    let nothing = #expect(throws: PlanningError.self) { try area.publisher().preview() }
    #expect(nothing?.keyPath == "layouts.old.providers[0].areas[0]" && nothing?.place.contains("plan.json:1:") == true)
    let packs = try Self.cities(
      #"{"id": "all", "rest": true}"#,
      #""layouts": {"old": {"providers": [{"id": "p", "rest": true, "limit": 3, "packs": "area", "packSets": [["Moscow"]]}]}},"#
    )
    let sets = #expect(throws: PackRuleError.self) { try packs.publish() }
    #expect(sets?.keyPath == "layouts.old.providers[0].packSets")
  }

  @Test func `Packs, copies and guards work in layouts`() throws {
    let layouts =
      #""layouts": {"old": {"providers": [{"id": "p", "rest": true, "packs": "area"}]}, "#
      + #""copies": {"providers": [{"id": "c", "rest": true, "count": 2, "guard": {"shrink": 0.1}}]}},"#
    let world = try Self.cities(#"{"id": "p", "rest": true, "packs": "area"}"#, layouts)
    let first = try world.publish().candidate.manifest
    #expect(first.layouts[0].providers[0].file == first.providers[0].file && first.layouts[1].groups.count == 1)
    #expect(world.shards.verify(first).isEmpty)
    try world.write([World.Row(phone: "+74951000000", label: "m0", area: "Moscow")], to: "a")
    let error = #expect(throws: GuardError.self) { try world.publish() }
    #expect(error?.breaches.map(\.place.isEmpty) == [false])
    var options = PublishingOptions()
    options.acceptsChange = true
    #expect(try world.publish(options).report.layouts[1].report.moved == 0)
  }

  @Test func `Sources are read once for all layouts`() throws {
    let layouts =
      #""layouts": {"a": {"providers": [{"id": "x", "rest": true}]}, "b": {"providers": [{"id": "y", "rest": true}]}},"#
    let world = try Self.cities(#"{"id": "all", "rest": true}"#, layouts)
    let reads = Mutex<[Int]>([])
    var options = PublishingOptions()
    options.progress = { if case .reading(let bytes, _, _) = $0 { reads.withLock { $0.append(bytes) } } }
    try world.publish(options)
    let seen = reads.withLock { $0 }
    #expect(seen == seen.sorted() && !seen.isEmpty, "a second read would begin at 0 again: \(seen)")
  }

  @Test func `Without layouts a manifest has no word of them, and one from before there were any is read`() throws {
    let world = try Self.cities(#"{"id": "all", "rest": true}"#)
    let manifest = try world.publish().candidate.manifest
    #expect(!String(decoding: manifest.encoded(), as: UTF8.self).contains("layouts"))
    #expect(manifest.view(of: nil) == manifest && manifest.view(of: "old") == nil)
    try world.plan(
      sources: ["a"], providers: #"{"id": "all", "rest": true}"#,
      more: #""layouts": {"old": {"providers": [{"id": "o", "rest": true}]}},"#)
    // The layout is new: its entries are placed as if for the first time, and its shard is the one that is there.
    let (candidate, report) = try world.publish()
    #expect(report.layouts[0].report.base == nil && report.layouts[0].shared == 1)
    #expect(candidate.manifest.files == manifest.files)
  }
}
