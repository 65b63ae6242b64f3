import CallDirectory
import Digests
import DirectoryPublishing
import Foundation
import PlanFile
import PositionedJSON
import ShardFormat
import ShardPacks
import ShardPlanning
import TestSupport
import Testing

/// Providers with packs, from the rows to the files of a release.
@Suite struct PackTests {
  /// What a number has in a pack: families and label.
  struct Entry: Hashable {
    var isBlocked = false
    var label: String?
  }

  /// By pack: by number, what it says.
  typealias Packs = [String: [Int64: Entry]]

  private static func read(_ cursor: PackCursor) throws -> [Int64: Entry] {
    var entries: [Int64: Entry] = [:]
    while let entry = try cursor.next() {
      entries[entry.number.rawValue] = Entry(
        isBlocked: entry.isBlocked, label: entry.label.map { String(decoding: $0, as: UTF8.self) })
    }
    return entries
  }

  private static func packs(_ world: World, _ id: String) throws -> Packs {
    let release = try #require(try world.shards.current())
    let provider = try #require(release.providers.first { $0.id.rawValue == id })
    let folder = try PackFolder(world.shards.shardPath(provider.file))
    #expect(folder.index == provider.packs?.index)
    var packs: Packs = [:]
    for name in folder.index.names { packs[name] = try read(PackCursor(folder.open([name]))) }
    #expect(try PackWorldSummary(folder, folder.index.names) == PackWorldSummary(provider))
    return packs
  }

  /// Counts and digests of a stream.
  struct PackWorldSummary: Equatable {
    let counts: EntryCounts
    let digests: [String]

    init(_ folder: PackFolder, _ names: [String]) throws {
      let summary = try folder.summary(names)
      counts = summary.counts
      digests = [summary.digests.blocking.hex, summary.digests.identification.hex]
    }

    init(_ provider: ReleaseManifest.Provider) {
      counts = provider.counts
      digests = [provider.contentDigests.blocking.hex, provider.contentDigests.identification.hex]
    }
  }

  /// What the packs of a provider that takes everything must be, by the rules and row by row.
  private static func expected(_ rows: [World.Row], withoutArea: String) -> Packs {
    var byNumber: [Int64: [World.Row]] = [:]
    for row in rows {
      guard let number = Int64(row.phone.dropFirst()), number > 70_000_000_000 else { continue }
      byNumber[number, default: []].append(row)
    }
    var packs: Packs = [withoutArea: [:]]
    for (number, rows) in byNumber {
      if rows.contains(where: { $0.kind == "remove" }) { continue }
      let identifying = rows.filter { $0.kind == "identify" || $0.kind == "both" }
      let blocking = rows.contains { $0.kind == "allow" } ? [] : rows.filter { $0.kind == "block" || $0.kind == "both" }
      if let label = identifying.first(where: { !$0.label.isEmpty })?.label {
        for row in identifying {
          packs[row.area.isEmpty ? withoutArea : row.area, default: [:]][number, default: Entry()].label = label
        }
      }
      for row in blocking {
        packs[row.area.isEmpty ? withoutArea : row.area, default: [:]][number, default: Entry()].isBlocked = true
      }
    }
    return packs
  }

  @Test(arguments: ["plain", "balanced"])
  func `A number is in the pack of the area of every row that asks for it, rows without area in the stated pack`(
    profile: String
  ) throws {
    for seed in 0..<(profile == "plain" ? 40 : 5) {
      var random = RandomWorld(seed: UInt64(seed))
      let world = try World()
      let rows = (random.rows(), random.rows())
      try world.write(rows.0, to: "a")
      try world.write(rows.1, to: "b")
      // A pack for rows without an area of its own, and one that it shares with an area.
      let withoutArea = seed % 2 == 0 ? "base" : "north"
      try world.plan(
        sources: ["a", "b"],
        providers: #"{"id": "all", "rest": true, "packs": "area", "packWithoutArea": "\#(withoutArea)"}"#,
        more: #""profile": "\#(profile)","#)
      let preview = try world.publisher().preview()
      let report = try world.publish().report
      let packs = try Self.packs(world, "all")
      #expect(packs == Self.expected(rows.0 + rows.1, withoutArea: withoutArea), "seed \(seed)")
      let counts = packs.mapValues { entries in
        EntryCounts(
          blocking: entries.values.count { $0.isBlocked }, identification: entries.values.count { $0.label != nil })
      }
      for found in [preview, report] {
        let index = try #require(found.providers[0].packs)
        #expect(Dictionary(uniqueKeysWithValues: index.packs.map { ($0.name, $0.counts) }) == counts, "seed \(seed)")
        #expect(index.sets.map(\.counts) == [found.providers[0].placement.counts], "seed \(seed)")
      }
      let current = try #require(try world.shards.current())
      #expect(world.shards.verify(current).isEmpty)
      #expect(try ReleaseManifest(json: current.encoded(), file: "manifest.json") == current)
      #expect(Set(try world.files().keys) == Set(current.files + ["manifest.json", "releases/1.json"]), "seed \(seed)")
      #expect(try world.publish().candidate.isUnchanged && world.publisher().preview().reloads.isEmpty, "seed \(seed)")
    }
  }

  @Test func `Packs together hold what the provider would hold in one shard, whatever the overlaps and limits`() throws
  {
    for seed in 100..<130 {
      let world = try World()
      var random = RandomWorld(seed: UInt64(seed))
      try random.write(to: world, overlaps: seed % 2 == 0 ? "keep" : "collapse")
      func publish() throws -> [ProviderID: [Int64: Entry]]? {
        // Some plans of this kind have no room.
        guard (try? world.publisher().preview()) != nil else { return nil }
        try world.publish()
        let release = try #require(try world.shards.current())
        var contents: [ProviderID: [Int64: Entry]] = [:]
        for provider in release.providers {
          if provider.packs != nil {
            let folder = try PackFolder(world.shards.shardPath(provider.file))
            contents[provider.id] = try Self.read(PackCursor(folder.open(folder.index.names)))
          } else {
            var entries: [Int64: Entry] = [:]
            try Shard(world.shards.shardPath(provider.file)).forEachEntry { entry in
              entries[entry.number.rawValue] = Entry(
                isBlocked: entry.isBlocked, label: entry.label.map { String(decoding: $0, as: UTF8.self) })
            }
            contents[provider.id] = entries
          }
        }
        #expect(world.shards.verify(release).isEmpty, "seed \(seed)")
        return contents
      }
      let plain = try publish()
      let plan = try String(contentsOfFile: world.planPath, encoding: .utf8)
      try world.folder.write(
        plan.replacingOccurrences(of: #""mayBeEmpty": true"#, with: #""mayBeEmpty": true, "packs": "area""#),
        to: "plan.json")
      #expect(try publish() == plain, "seed \(seed)")
    }
  }

  @Test func `Ranges stay ranges in packs, whatever overlaps, and packs take kilobytes`() throws {
    let world = try World()
    try world.folder.write(
      """
      from\tto\tname\tarea
      +74950000000\t+74950999999\tMoscow\tMoscow
      +74950500000\t+74951499999\tSecond\tKazan
      +74951000000\t+74951000009\tThird\t

      """, to: "r.tsv")
    try world.folder.write(
      """
      {"schema": 1, "name": "world", "country": "RU",
       "sources": [{"id": "r", "file": "r.tsv", "from": "from", "to": "to", "label": "name", "area": "area"}],
       "providers": [{"id": "all", "rest": true, "packs": "area"}],
       "layouts": {"old": {"providers": [{"id": "o", "rest": true}]}}}
      """, to: "plan.json")
    let preview = try world.publisher().preview()
    let (candidate, report) = try world.publish()
    let provider = candidate.manifest.providers[0]
    let folder = try PackFolder(world.shards.shardPath(provider.file))
    func counts(_ names: [String]) throws -> Int { try folder.summary(names).counts.total }
    #expect(try counts(["Moscow"]) == 1_000_000 && counts(["Kazan"]) == 1_000_000 && counts(["base"]) == 10)
    #expect(try counts(["Moscow", "Kazan", "base"]) == 1_500_000 && provider.counts.total == 1_500_000)
    #expect(folder.index.packs.allSatisfy { $0.bytes < 4096 })
    var pieces: [String] = []
    let cursor = PackCursor(try folder.open(["Kazan", "Moscow"]))
    while let run = try cursor.nextRun() {
      let label = run.entry.label.map { String(decoding: $0, as: UTF8.self) } ?? ""
      pieces.append("\(run.entry.number.rawValue) \(run.count) \(label)")
    }
    #expect(pieces == ["74950000000 500000 Moscow", "74950500000 500000 Moscow", "74951000000 500000 Second"])
    for found in [preview, report] {
      #expect(found.providers[0].packs?.sets.map(\.counts.total) == [1_500_000])
      #expect(found.layouts[0].startingOff.map(\.entries) == [EntryCounts(identification: 1_500_000)])
      #expect(found.layouts[0].startingOff[0].samples.map(\.rawValue) == Array(74_950_000_000..<74_950_000_005))
    }
    #expect(world.shards.verify(candidate.manifest).isEmpty)
    // The base is read in ranges, too, and nothing has changed.
    #expect(try world.publish().candidate.isUnchanged && world.publisher().preview().reloads.isEmpty)
  }

  @Test func `Many packs are written a few at a time and are all there`() throws {
    let world = try World()
    let areas = (0..<100).map { "area \($0)" }
    try world.write(
      (0..<3000).map { World.Row(phone: "+7495\(1_000_000 + $0 * 3)", label: "label \($0)", area: areas[$0 * 7 % 100]) }
        + (0..<500).map { World.Row(phone: "+7495\(1_000_000 + $0 * 6)", label: "later", area: areas[$0 % 90]) },
      to: "a")
    try world.plan(sources: ["a"], providers: #"{"id": "all", "rest": true, "packs": "area"}"#)
    try world.publish()
    let packs = try Self.packs(world, "all")
    #expect(packs.count == 101 && packs["base"] == [:])
    for number in 0..<3000 {
      let value = Int64(74_951_000_000 + number * 3)
      var expected: Set<String> = [areas[number * 7 % 100]]
      if number % 2 == 0, number / 2 < 500 { expected.insert(areas[number / 2 % 90]) }
      #expect(Set(packs.filter { $0.value[value] != nil }.keys) == expected)
      #expect(expected.allSatisfy { packs[$0]?[value]?.label == "label \(number)" })
    }
    #expect(world.shards.verify(try #require(try world.shards.current())).isEmpty)
  }

  private static func cities(_ members: String) throws -> World {
    let world = try World()
    try world.plan(
      sources: ["a"], providers: #"{"id": "all", "rest": true, "limit": 5, "packs": "area"\#(members)}"#)
    // 4 in each city, one of them in both, and two without.
    try world.write(
      (0..<4).map { World.Row(phone: "+7495100000\($0)", label: "m\($0)", area: "Moscow") }
        + (3..<7).map { World.Row(phone: "+7495100000\($0)", label: "k\($0)", area: "Kazan") }
        + (7..<9).map { World.Row(phone: "+7495100000\($0)", kind: "block") }, to: "a")
    return world
  }

  @Test func `Without sets the limit is one of all packs together, as without packs`() throws {
    let world = try Self.cities("")
    #expect { try world.publish() } throws: { "\($0)".contains("4 of 9 entries") }
  }

  @Test func `With sets the limit is one of each set, a number of several packs counted once`() throws {
    let world = try Self.cities(#", "packSets": [["Kazan"], ["Moscow"]]"#)
    let report = try world.publish().report
    #expect(report.entries == 9 && report.providers[0].fill == 0.8)
    #expect(report.providers[0].packs?.sets.map(\.counts.total) == [4, 4])
    #expect(report.providers[0].packs?.standardNames == ["Kazan"])
    let both = try Self.cities(#", "packSets": [["Kazan", "Moscow"], ["base"], ["base", "Kazan"]]"#)
    let error = #expect(throws: PackRuleError.self) { try both.publish() }
    #expect(
      error?.what == #""Kazan" + "Moscow" come to 7 entries (0 blocking, 7 identification), 2 over the limit of 5; "#
        + #""base" + "Kazan" come to 6 entries (2 blocking, 4 identification), 1 over the limit of 5"#)
    #expect(
      error?.keyPath == "providers[0].packSets" && error?.place.hasSuffix("plan.json:5:85") == true,
      "\(error?.place ?? "")")
    #expect(try both.files().isEmpty)
    #expect(throws: PackRuleError.self) { try both.publisher().preview() }
  }

  @Test func `A set that names no pack is refused with the nearest one, or is empty where that is accepted`() throws {
    let world = try Self.cities(#", "packSets": [["Moskow"]]"#)
    let error = #expect(throws: PackRuleError.self) { try world.publish() }
    #expect(error?.what == #"all has no entries in a pack "Moskow""# && error?.keyPath == "providers[0].packSets[0][0]")
    #expect(error?.hint == #"did you mean "Moscow"? "mayBeEmpty": true accepts it"#)
    let empty = try Self.cities(#", "mayBeEmpty": true, "packSets": [["Samara"], ["Moscow"]]"#)
    try empty.publish()
    #expect(try Self.packs(empty, "all").keys.sorted() == ["Kazan", "Moscow", "Samara", "base"])
  }

  @Test func `An area that moves a number to another pack alone is a reload, and nothing moves between providers`()
    throws
  {
    let world = try World()
    try world.plan(
      sources: ["a"], providers: #"{"id": "p", "areas": ["x", "y"], "packs": "area"}, {"id": "q", "rest": true}"#)
    func write(_ area: String) throws {
      try world.write(
        [
          World.Row(phone: "+74951000000", label: "a", area: area),
          World.Row(phone: "+74951000001", label: "b", area: "x"),
          World.Row(phone: "+74951000002", label: "c", area: "y"), World.Row(phone: "+74951000003", label: "d"),
        ], to: "a")
    }
    try write("x")
    let first = try world.publish().candidate.manifest
    try write("y")
    #expect(try world.publisher().preview().reloads.map(\.rawValue) == ["p"])
    let (candidate, report) = try world.publish()
    #expect(report.reloads.map(\.rawValue) == ["p"] && report.moved == 0)
    let (before, after) = (first.providers[0], candidate.manifest.providers[0])
    #expect(before.contentDigests == after.contentDigests && before.file != after.file)
    #expect(after.packs?.index.files.count { before.packs?.index.files.contains($0) == true } == 1, "base is the same")
  }

  @Test func `Entries of packs stay where they were, and a pack of the base that is gone is told`() throws {
    let world = try World()
    try world.plan(
      sources: ["a"],
      providers:
        #"{"id": "a", "prefixes": ["+7"], "limit": 3, "spillsTo": ["b"], "packs": "area"}, {"id": "b", "rest": true}"#)
    func write(_ last: some Sequence<Int>) throws {
      try world.write(last.map { World.Row(phone: "+7495100000\($0)", label: "l\($0)", area: "x\($0 % 2)") }, to: "a")
    }
    try write(0..<5)
    try world.publish()
    try write([2, 3, 4, 5])
    let report = try world.publish().report
    #expect(report.moved == 0)
    let packs = try Self.packs(world, "a")
    #expect(Set(packs.values.flatMap(\.keys)) == [74_951_000_002, 74_951_000_005])
    let provider = try #require(try world.shards.current()?.providers[0])
    let pack = try #require(provider.packs?.index.pack("x0")?.file)
    try FileManager.default.removeItem(atPath: world.shards.shardPath(pack))
    let problems = try world.publisher().preview().baseProblems
    #expect(problems.count == 1 && problems[0].contains(pack), "\(problems)")
  }

  @Test func `verify tells which file of the packs is gone or damaged`() throws {
    let world = try Self.cities(#", "packSets": [["Kazan"]]"#)
    let manifest = try world.publish().candidate.manifest
    #expect(manifest.files.count == 4)
    for file in manifest.files {
      let url = URL(fileURLWithPath: world.shards.shardPath(file))
      let bytes = try Data(contentsOf: url)
      var changed = bytes
      changed[changed.count / 2] ^= 1
      try changed.write(to: url)
      #expect(world.shards.verify(manifest).map(\.path) == [url.path])
      try FileManager.default.removeItem(at: url)
      #expect(world.shards.verify(manifest).map(\.path) == [url.path])
      try bytes.write(to: url)
    }
    #expect(world.shards.verify(manifest).isEmpty)
  }

  @Test func `A candidate that is discarded leaves no pack, and releases that are no longer kept take theirs along`()
    throws
  {
    let world = try Self.cities(#", "packSets": [["Kazan"]]"#)
    try world.publish()
    let before = try world.files()
    try world.write([World.Row(phone: "+74951000000", label: "new", area: "Kazan")], to: "a")
    do {
      let lock = try world.shards.lock(holder: "test")
      try world.publisher().stage().candidate.discard()
      withExtendedLifetime(lock) {}
    }
    #expect(try world.files() == before)
    try world.publish(keeping: 1)
    let current = try #require(try world.shards.current())
    #expect(try Set(world.files().keys) == Set(current.files + ["manifest.json", "releases/2.json"]))
  }

  @Test func `Copies of a provider have packs of their own`() throws {
    let world = try World()
    try world.plan(sources: ["a"], providers: #"{"id": "g", "rest": true, "count": 2, "packs": "area"}"#)
    try world.write((0..<8).map { World.Row(phone: "+7495100000\($0)", label: "l", area: "x\($0 % 2)") }, to: "a")
    try world.publish()
    for id in ["g-1", "g-2"] {
      let packs = try Self.packs(world, id)
      #expect(packs.mapValues(\.count) == ["base": 0, "x0": 2, "x1": 2])
    }
  }

  @Test func `More areas than packs are refused`() throws {
    let world = try World()
    try world.plan(sources: ["a"], providers: #"{"id": "all", "rest": true, "packs": "area"}"#)
    try world.write((0..<1000).map { World.Row(phone: "+7495\(1_000_000 + $0)", label: "l", area: "x\($0)") }, to: "a")
    let error = #expect(throws: PackRuleError.self) { try world.publish() }
    #expect(error?.what == "the entries come to 1001 packs, and a provider has at most 1000")
    #expect(error?.hint == #"bring areas together with an "areaMap", or split the provider"#)
  }
}
