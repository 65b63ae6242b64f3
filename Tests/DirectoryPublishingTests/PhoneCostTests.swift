import CallDirectory
import DirectoryPublishing
import Foundation
import PositionedJSON
import ShardPlanning
import TestSupport
import Testing

/// What a phone pays for a release.
@Suite struct PhoneCostTests {
  @Test(
    arguments: [
      (0, 0), (1, 0.000_03), (100_000, 3), (300_000, 9), (500_000, 15), (750_000, 23.5), (1_000_000, 32),
      (1_250_000, 45), (1_500_000, 58), (1_750_000, 71), (1_999_999, 83.999_948),
    ] as [(Int, Double)])
  func `Load times are those measured, on straight lines between them and beyond`(entries: Int, seconds: Double) {
    #expect(abs(LoadTime.seconds(entries: entries) - seconds) < 1e-9)
  }

  private static func world() throws -> World {
    let world = try World()
    try plan(world)
    try write(world, 0..<50) { "label \($0)" }
    return world
  }

  private static func plan(_ world: World, other: String = "other") throws {
    try world.plan(
      sources: ["rows"],
      providers:
        #"{"id": "north", "areas": ["north"]}, {"id": "south", "areas": ["south"]}, {"id": "\#(other)", "rest": true}"#)
  }

  private static func write(_ world: World, _ numbers: some Sequence<Int>, label: (Int) -> String) throws {
    try world.write(
      numbers.map {
        World.Row(
          phone: "+7495100\(1000 + $0)", label: label($0), area: ["north", "south", ""][$0 % 3],
          kind: $0 % 5 == 0 ? "both" : "identify")
      }, to: "rows")
  }

  @Test func `Without a release before there is nothing to update, and the disk holds what is downloaded`() throws {
    let world = try Self.world()
    let (candidate, report) = try world.publish()
    let cost = report.phoneCost
    #expect(cost.providers.map(\.id) == candidate.manifest.providers.map(\.id))
    #expect(cost.providers.map(\.downloadBytes) == candidate.manifest.providers.map(\.bytes))
    #expect(cost.providers.map(\.diskPeakBytes) == cost.providers.map(\.downloadBytes))
    #expect(
      cost.providers.map(\.loadSeconds)
        == candidate.manifest.providers.map { LoadTime.seconds(entries: $0.counts.total) })
    #expect(cost.providers.allSatisfy { $0.updateBytes == nil && $0.incrementalSeconds == nil && $0.changes == nil })
    #expect(cost.updateBytes == nil && cost.incrementalSeconds == nil && !cost.hasBase)
    #expect(cost.downloadBytes == cost.providers.reduce(0) { $0 + $1.downloadBytes })
  }

  @Test func `Against a release before the changes are counted entry by entry, and unchanged providers cost nothing`()
    throws
  {
    let world = try Self.world()
    let before = try world.publish().candidate.manifest
    // Of the north: 0 goes (label and block), 3 gets another label, 51 comes; 6 stays. The south stays as it is.
    try Self.write(world, Array(1..<50) + [51]) { $0 == 3 ? "another" : "label \($0)" }
    for report in [try world.publisher().preview(), try world.publish().report] {
      let (north, south) = (report.phoneCost.providers[0], report.phoneCost.providers[1])
      var expected = EntryChanges()
      (expected.added, expected.removed, expected.relabelled) = (1, 2, 1)
      #expect(north.changes == expected && expected.steps == 5)
      #expect(south.changes == EntryChanges())
      #expect(south.updateBytes == 0 && south.incrementalSeconds == 0 && south.diskPeakBytes == south.downloadBytes)
      #expect(north.incrementalSeconds == LoadTime.seconds(entries: 5))
      #expect(north.diskPeakBytes == north.downloadBytes + before.providers[0].bytes)
      #expect(north.updateBytes.map { $0 > 0 && $0 < north.downloadBytes } == true)
      #expect(report.phoneCost.updateBytes == report.phoneCost.providers.reduce(0) { $0 + ($1.updateBytes ?? 0) })
    }
  }

  @Test func `A new provider is loaded in full, and one that is gone lies on the disk until the switch`() throws {
    let world = try Self.world()
    let before = try world.publish().candidate.manifest
    try Self.plan(world, other: "rest")
    let cost = try world.publish().report.phoneCost
    #expect(cost.providers[2].id.rawValue == "rest")
    #expect(cost.providers[2].updateBytes == cost.providers[2].downloadBytes)
    #expect(cost.providers[2].incrementalSeconds == cost.providers[2].loadSeconds && cost.providers[2].changes == nil)
    #expect(cost.goneBytes == before.providers[2].bytes)
    #expect(cost.diskPeakBytes == cost.downloadBytes + before.providers[2].bytes)
  }

  @Test func `Where a shard of the release before cannot be read, its update is not known, nor that of all`() throws {
    let world = try Self.world()
    let before = try world.publish().candidate.manifest
    try Data("no shard".utf8).write(to: URL(fileURLWithPath: world.shards.shardPath(before.providers[0].file)))
    try Self.write(world, 1..<50) { "other \($0)" }
    let cost = try world.publisher().preview().phoneCost
    #expect(cost.providers[0].updateBytes == nil && cost.providers[0].incrementalSeconds == nil)
    #expect(cost.providers[1].updateBytes != nil && cost.updateBytes == nil && cost.incrementalSeconds == nil)
  }

  @Test func `Changes of random days are those between the shards`() throws {
    for seed in 0..<30 {
      let world = try World()
      var random = RandomWorld(seed: 77_000 + UInt64(seed))
      try random.write(to: world, overlaps: seed % 2 == 0 ? "keep" : "collapse")
      guard let first = try? world.publish() else { continue }
      let before = try world.contents(first.candidate.manifest)
      for source in ["a", "b"] { try world.write(random.rows(), to: source) }
      guard let second = try? world.publish() else { continue }
      let after = try world.contents(second.candidate.manifest)
      for provider in second.report.phoneCost.providers {
        let (old, new) = (before[provider.id] ?? [:], after[provider.id] ?? [:])
        var expected = EntryChanges()
        for number in Set(old.keys).union(new.keys) {
          let (was, now) = (old[number]?.families ?? [], new[number]?.families ?? [])
          for family in [DirectoryMatch.blocked, .identified] {
            if now.contains(family), !was.contains(family) { expected.added += 1 }
            if was.contains(family), !now.contains(family) { expected.removed += 1 }
          }
          if was.contains(.identified), now.contains(.identified), old[number]?.label != new[number]?.label {
            expected.relabelled += 1
          }
        }
        #expect(provider.changes == expected, "seed \(seed), \(provider.id)")
      }
    }
  }

  @Test func `The report's JSON has the cost by provider and in all`() throws {
    let world = try Self.world()
    try world.publish()
    try Self.write(world, 1..<50) { "label \($0)" }
    var json = JSONWriter()
    try world.publisher().preview().write(to: &json, bytesAreEstimates: true)
    let root = try #require(JSONSerialization.jsonObject(with: Data(json.finish())) as? [String: Any])
    let cost = try #require(root["phoneCost"] as? [String: Any])
    #expect(cost["bytesAreEstimates"] as? Bool == true && cost["updatesAreEstimates"] as? Bool == true)
    let keys = ["diskPeakBytes", "downloadBytes", "incrementalSeconds", "loadSeconds", "updateBytes"]
    let providers = try #require(cost["providers"] as? [[String: Any]])
    #expect(providers.map { $0["id"] as? String } == ["north", "south", "other"])
    #expect(providers.allSatisfy { $0.keys.sorted() == (keys + ["changes", "id"]).sorted() })
    #expect((cost["totals"] as? [String: Any])?.keys.sorted() == keys)
  }
}
