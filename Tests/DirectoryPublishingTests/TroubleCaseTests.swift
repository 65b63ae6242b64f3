import CallDirectory
import DirectoryPublishing
import DirectorySources
import Foundation
import ShardPlanning
import TestSupport
import Testing

/// Troubles that others had with counting and with changes from day to day.
@Suite struct TroubleCaseTests {
  private static let one = "{\"id\": \"all\", \"rest\": true}"

  private static func world(_ sources: [String: [World.Row]], providers: String = one, more: String = "") throws
    -> World
  {
    let world = try World()
    for (id, rows) in sources { try world.write(rows, to: id) }
    try world.plan(sources: sources.keys.sorted(), providers: providers, more: more)
    return world
  }

  private static func labels(_ world: World) throws -> [Int64: String] {
    let manifest = try #require(try world.shards.current())
    return try world.contents(manifest).values.reduce(into: [:]) { labels, entries in
      for (number, entry) in entries {
        labels[number] = entry.label + (entry.families.contains(.blocked) ? " (blocked)" : "")
      }
    }
  }

  @Test func `B-065 the unit of a limit is an entry: ten contacts with nine numbers each are ninety`() throws {
    let world = try World()
    let cards = (0..<10).map { card in
      let numbers = (0..<9).map { "TEL:+749510000\(card)\($0)\n" }.joined()
      return "BEGIN:VCARD\nVERSION:3.0\nFN:Contact \(card)\n\(numbers)END:VCARD\n"
    }
    try world.folder.write(cards.joined(), to: "contacts.vcf")
    func plan(limit: Int) throws {
      try world.folder.write(
        """
        {"schema": 1, "name": "world", "country": "RU", "sources": [{"id": "contacts", "file": "contacts.vcf"}],
         "providers": [{"id": "all", "rest": true, "limit": \(limit)}]}
        """, to: "plan.json")
    }
    try plan(limit: 90)
    let report = try world.publish().report
    #expect(report.entries == 90 && report.providers[0].fill == 1 && report.accounts.sources[0].rows == 10)
    try plan(limit: 89)
    let error = #expect(throws: PlanningError.self) { try world.publish() }
    #expect(error?.description.contains("1 of 90 entries (0 blocking, 90 identification) find no room") == true)
  }

  @Test func `B-115 one bad row of ten thousand is found before anything is handed over`() throws {
    var rows = (0..<10_000).map { World.Row(phone: "+7495\(1_000_000 + $0)", label: "x") }
    rows[7_777].phone = "12"
    let world = try Self.world(["rows": rows])
    let report = try world.publish().report
    #expect(report.entries == 9_999 && report.accounts.total.refused == 1)
    #expect(report.refusals.map(\.count) == [1] && report.refusals[0].examples.map(\.line) == [7_779])
    // Where the source says so, the whole run stops there and the release stays.
    let plan = try String(contentsOfFile: world.planPath, encoding: .utf8)
    try world.folder.write(
      plan.replacingOccurrences(of: "\"allowEmpty\": true", with: "\"onBadRow\": \"fail\""), to: "plan.json")
    let files = try world.files()
    #expect(throws: (any Error).self) { try world.publish() }
    #expect(try world.files() == files)
  }

  @Test func `C-20 what an older source knew is back when the one above it goes, without anything to rebuild`() throws {
    let world = try Self.world([
      "a": [World.Row(phone: "+74951000000", label: "of a"), World.Row(phone: "+74951000001", label: "only a")],
      "b": [World.Row(phone: "+74951000000", label: "of b", kind: "both")],
    ])
    try world.publish()
    #expect(try Self.labels(world) == [74_951_000_000: "of a (blocked)", 74_951_000_001: "only a"])
    try world.plan(sources: ["b"], providers: Self.one)
    try world.publish()
    #expect(try Self.labels(world) == [74_951_000_000: "of b (blocked)"])
    try world.plan(sources: ["a"], providers: Self.one)
    try world.publish()
    #expect(try Self.labels(world) == [74_951_000_000: "of a", 74_951_000_001: "only a"])
  }

  @Test func `C-23 a row that changes its kind or its number changes the entry, and the old number is gone`() throws {
    for providers in [Self.one, "{\"id\": \"all\", \"rest\": true, \"count\": 2}"] {
      let world = try Self.world(["a": [World.Row(phone: "+74951000000", label: "x")]], providers: providers)
      try world.publish()
      #expect(try Self.labels(world) == [74_951_000_000: "x"])
      try world.write([World.Row(phone: "+74951000000", label: "x", kind: "both")], to: "a")
      try world.publish()
      #expect(try Self.labels(world) == [74_951_000_000: "x (blocked)"])
      try world.write([World.Row(phone: "+74951000009", label: "x", kind: "both")], to: "a")
      try world.publish()
      #expect(try Self.labels(world) == [74_951_000_009: "x (blocked)"])
      try world.write([World.Row(phone: "+74951000009", label: "x")], to: "a")
      try world.publish()
      #expect(try Self.labels(world) == [74_951_000_009: "x"])
    }
  }
}
