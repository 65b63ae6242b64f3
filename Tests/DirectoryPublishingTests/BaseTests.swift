import CallDirectory
import DirectoryPublishing
import Foundation
import PositionedJSON
import ShardPlanning
import TestSupport
import Testing

/// What a run takes from an earlier release: places, cuts, and what it is compared with.
@Suite struct BaseTests {
  /// A plan in which `a` holds 3 numbers and spills to `b`.
  private static func spilling(_ more: String = "") throws -> World {
    let world = try World()
    try world.plan(
      sources: ["rows"],
      providers: #"{"id": "a", "prefixes": ["+7"], "limit": 3, "spillsTo": ["b"]}, {"id": "b", "rest": true}"#,
      more: more)
    return world
  }

  private static func write(_ world: World, _ last: some Sequence<Int>) throws {
    try world.write(last.map { World.Row(phone: "+7495100000\($0)", label: "label \($0)") }, to: "rows")
  }

  private static func holders(_ world: World) throws -> [String: [Int]] {
    var holders: [String: [Int]] = [:]
    let release = try #require(try world.shards.current())
    for (id, entries) in try world.contents(release) {
      holders[id.rawValue] = entries.keys.map { Int($0 % 10) }.sorted()
    }
    return holders
  }

  @Test func `Entries stay where they were while they have room there, and fresh places them anew`() throws {
    let world = try Self.spilling()
    try Self.write(world, 0..<5)
    try world.publish()
    #expect(try Self.holders(world) == ["a": [0, 1, 2], "b": [3, 4]])
    try Self.write(world, [2, 3, 4, 5])
    let report = try world.publish().report
    #expect(try Self.holders(world) == ["a": [2, 5], "b": [3, 4]])
    #expect(report.moved == 0 && report.reloads.map(\.rawValue) == ["a"])
    var fresh = PublishingOptions()
    fresh.base = .fresh
    let anew = try world.publish(fresh).report
    #expect(try Self.holders(world) == ["a": [2, 3, 4], "b": [5]])
    // It is compared with the release before all the same: 3 and 4 came, 5 went.
    #expect(anew.moved == 3 && anew.base == 2)
  }

  @Test func `Another folder's release can be the base, and is what the run is compared with`() throws {
    let first = try Self.spilling()
    try Self.write(first, 0..<5)
    try first.publish()
    let second = try Self.spilling()
    try Self.write(second, [2, 3, 4, 5])
    var options = PublishingOptions()
    options.base = .folder(first.shards.path)
    let report = try second.publish(options).report
    #expect(try Self.holders(second) == ["a": [2, 5], "b": [3, 4]])
    #expect(report.base == 1 && report.moved == 0 && report.baseEntries == 5)
    #expect(try second.shards.current()?.base == nil)
    options.base = .folder(second.folder.path("nowhere"))
    #expect { try second.publish(options) } throws: { ($0 as? ReleaseError)?.kind == .missing }
  }

  @Test(arguments: ["gone", "cut", "no shard"])
  func `A base shard that cannot be read is told, its entries are placed as new, and all is as without it`(
    damage: String
  ) throws {
    let world = try Self.spilling()
    try Self.write(world, 0..<5)
    let file = world.shards.shardPath(try world.publish().candidate.manifest.providers[1].file)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    switch damage {
    case "gone": try FileManager.default.removeItem(atPath: file)
    case "cut": try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: file))
    default: try Data("text".utf8).write(to: URL(fileURLWithPath: file))
    }
    try Self.write(world, [2, 3, 4, 5])
    let preview = try world.publisher().preview()
    let report = try world.publish().report
    #expect(report.baseProblems.count == 1 && preview.baseProblems == report.baseProblems)
    #expect(report.baseProblems.allSatisfy { $0.contains(file) })
    #expect(try Self.holders(world) == ["a": [2, 3, 4], "b": [5]])
    #expect(try world.publisher().preview().baseProblems.isEmpty)
  }

  @Test func `The second day of a directory in random hands moves what must move and no more`() throws {
    // Places are allowed for every number by the rest alone, so that nothing ever has to move.
    for seed in 0..<20 {
      var random = SeededGenerator(seed: UInt64(seed))
      let world = try World()
      try world.plan(
        sources: ["rows"],
        providers: #"""
          {"id": "a", "areas": ["north"], "limit": 9, "spillsTo": ["r"], "mayBeEmpty": true},
          {"id": "r", "rest": true, "count": 3, "limit": 40}
          """#)
      var rows: [Int: String] = [:]
      func write() throws {
        try world.write(
          rows.sorted { $0.key < $1.key }.map {
            World.Row(phone: "+7495\(1_000_000 + $0.key)", label: $0.value, area: $0.key % 3 == 0 ? "north" : "")
          }, to: "rows")
      }
      for _ in 0..<60 { rows[Int.random(in: 0..<900, using: &random)] = "first" }
      try write()
      try world.publish()
      for number in rows.keys.sorted() where Int.random(in: 0..<10, using: &random) == 0 { rows[number] = nil }
      for number in rows.keys.sorted() where Int.random(in: 0..<10, using: &random) == 0 { rows[number] = "again" }
      for _ in 0..<5 { rows[Int.random(in: 0..<900, using: &random)] = "new" }
      try write()
      let preview = try world.publisher().preview()
      let report = try world.publish().report
      #expect(report.moved == 0 && preview.moved == 0, "seed \(seed)")
      #expect(report.entries == rows.count, "seed \(seed)")
      #expect(preview.providers.map(\.placement) == report.providers.map(\.placement))
      #expect(try world.publish().candidate.isUnchanged, "seed \(seed)")
    }
  }

  // MARK: Copies

  @Test func `Copies are providers of the release, and a manifest keeps their cuts`() throws {
    let world = try World()
    try world.plan(
      sources: ["rows"], providers: #"{"id": "g", "title": "The group", "rest": true, "count": "auto", "limit": 4}"#)
    try Self.write(world, 0..<5)
    let (candidate, report) = try world.publish()
    #expect(candidate.manifest.providers.map(\.id.rawValue) == ["g-1", "g-2"])
    #expect(candidate.manifest.providers.map(\.title) == ["The group 1", "The group 2"])
    #expect(candidate.manifest.groups.map(\.copies.cuts) == [[PhoneNumber(74_951_000_003)]])
    #expect(report.groups.map(\.id.rawValue) == ["g"] && report.groups.map(\.copies) == [2])
    #expect(report.groups.map(\.isPinned) == [false])
    #expect(try world.shards.current() == candidate.manifest)
    try Self.write(world, 0..<9)
    let second = try world.publish()
    #expect(try Self.holders(world) == ["g-1": [0, 1, 2], "g-2": [3, 4, 5, 6], "g-3": [7, 8]])
    #expect(second.candidate.manifest.groups.map(\.copies.cuts) == candidate.manifest.groups.map(\.copies.cuts))
    #expect(second.report.moved == 0 && second.report.reloads.map(\.rawValue) == ["g-2", "g-3"])
    #expect(world.shards.verify(second.candidate.manifest).isEmpty)
  }

  @Test(arguments: [
    (#""copies": 2"#, #""copies": 1"#), (#""copies": 2"#, #""copies": 0"#), ("[74951000003]", "[0]"),
    ("[74951000003]", "[7, 7]"), ("[74951000003]", #"["x"]"#),
  ])
  func `Cuts of other hands are an error with their place, never a trap`(text: String, other: String) throws {
    let world = try World()
    try world.plan(sources: ["rows"], providers: #"{"id": "g", "rest": true, "count": 2}"#)
    try Self.write(world, 0..<5)
    let manifest = try world.publish().candidate.manifest
    let bytes = String(decoding: manifest.encoded(), as: UTF8.self)
    #expect(bytes.contains(text))
    let changed = bytes.replacingOccurrences(of: text, with: other)
    #expect { try ReleaseManifest(json: Array(changed.utf8), file: "m") } throws: { ($0 as? JSONError)?.file == "m" }
  }

  // MARK: Guards and drops

  @Test(
    arguments: [
      (#"{"shrink": 0.2}"#, 10, 8, nil),
      (#"{"shrink": 0.2}"#, 10, 7, "7 entries, 10 in release 1: 30 % fewer, and its guard allows 20 %"),
      (#"{"growth": 0.5}"#, 4, 6, nil),
      (#"{"growth": 0.5}"#, 4, 7, "7 entries, 4 in release 1: 75 % more, and its guard allows 50 %"),
    ] as [(String, Int, Int, String?)])
  func `A provider's guard counts its entries, copies together, also when it gets copies or loses them`(
    limits: String, before: Int, now: Int, message: String?
  ) throws {
    let three = #", "count": 3"#
    for (count, later) in [("", ""), (three, three), ("", three), (three, "")] {
      let world = try World()
      func plan(_ count: String) throws {
        try world.plan(sources: ["rows"], providers: #"{"id": "g", "rest": true\#(count), "guard": \#(limits)}"#)
      }
      try plan(count)
      try Self.write(world, 0..<before)
      try world.publish()
      try plan(later)
      try Self.write(world, 0..<now)
      let breaches = try world.publisher().preview().breaches
      #expect(breaches.count == (message == nil ? 0 : 1))
      guard let message else {
        try world.publish()
        continue
      }
      #expect(breaches[0].description.hasSuffix(": provider \"g\": \(message)"))
      #expect(breaches[0].description.hasPrefix("\(world.planPath):5:"))
      #expect(throws: GuardError.self) { try world.publish() }
      var options = PublishingOptions()
      options.acceptsChange = true
      try world.publish(options)
    }
  }

  @Test func `B-060 What was dropped is reported with file, line and score, and the accounts have it`() throws {
    let world = try World()
    try world.folder.write(
      """
      {"schema": 1, "name": "world", "country": "RU", "dropLabelsOfBlocked": true,
       "sources": [{"id": "rows", "file": "rows.tsv", "number": "phone", "label": "name", "score": "calls"},
                   {"id": "spam", "file": "spam.txt", "action": "block"}],
       "providers": [{"id": "a", "rest": true, "limit": 3, "excess": "dropLowestScore", "warnAt": 1}]}
      """, to: "plan.json")
    try world.folder.write(
      """
      phone\tname\tcalls
      +74951000001\tone\t5
      +74951000002\ttwo\t1
      +74951000003\tthree\t
      +74951000004\tfour\t7
      +74951000005\tblocked\t9

      """, to: "rows.tsv")
    try world.folder.write("+74951000005\n", to: "spam.txt")
    let (candidate, report) = try world.publish()
    #expect(report.dropped == 2 && report.labelsOfBlocked == 1 && report.accounts.total.dropped == 3)
    #expect(report.droppedExamples.map(\.line) == [3, 4])
    #expect(report.droppedExamples.map(\.score) == [1, nil])
    #expect(report.droppedExamples.allSatisfy { $0.file.hasSuffix("rows.tsv") })
    #expect(report.providers.map(\.isNearlyFull) == [true])
    #expect(
      try Set(world.contents(candidate.manifest).values.flatMap(\.keys)) == [74951000001, 74951000004, 74951000005])
    var json = JSONWriter()
    report.write(to: &json)
    let root = try JSONDocument(json.finish(), file: nil).root
    #expect(root["dropped"]?["count"]?.integer == 2 && root["labelsOfBlocked"]?.integer == 1)
  }
}
