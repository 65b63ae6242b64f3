import CallDirectory
import DirectoryPublishing
import DirectorySources
import Foundation
import PlanFile
import ShardFormat
import ShardPlanning
import TestSupport
import Testing

/// Ranges stay ranges from the source to the shard.
@Suite("Ranges that stay unexpanded")
struct RunPlanTests {
  // MARK: Against brute force

  /// A row of a source, before it is written.
  private struct Line {
    var numbers: ClosedRange<Int64>
    var label: String
    var kind: String
  }

  private static let base: Int64 = 33_199_000_000
  private static let span: Int64 = 4_000

  /// Nested, overlapping, touching and single ranges with two labels and holes.
  private static func lines(_ random: inout SeededGenerator, points: Bool) -> [Line] {
    var end: Int64 = 0
    return (0..<Int.random(in: 3...12, using: &random)).map { _ in
      // One in three touches the range before it.
      let first =
        Int.random(in: 0..<3, using: &random) == 0 ? min(end + 1, span - 1) : Int64.random(in: 0..<span, using: &random)
      let most = [1, 20, 100, 1500][Int.random(in: 0..<4, using: &random)]
      let last = points ? first : min(span - 1, first + Int64.random(in: 0..<Int64(most), using: &random))
      end = last
      let kind = ["block", "block", "identify", "both", "allow", "remove"].randomElement(using: &random) ?? "block"
      let isLabelled = kind == "identify" || kind == "both"
      return Line(
        numbers: first...last,
        label: isLabelled ? ["One", "Two", ""].randomElement(using: &random) ?? "" : "", kind: kind)
    }
  }

  private static func expected(_ lines: [Line]) -> [Int64: (isBlocked: Bool, label: String)] {
    var entries: [Int64: (isBlocked: Bool, label: String)] = [:]
    for offset in 0..<span {
      let own = lines.filter { $0.numbers.contains(offset) }
      if own.contains(where: { $0.kind == "remove" }) { continue }
      let isBlocked =
        own.contains { $0.kind == "block" || $0.kind == "both" } && !own.contains { $0.kind == "allow" }
      let label = own.first { !$0.label.isEmpty }?.label ?? ""
      if isBlocked || !label.isEmpty { entries[base + offset] = (isBlocked, label) }
    }
    return entries
  }

  private static let providers = [
    #"{"id": "all", "rest": true}"#,
    #"{"id": "g", "count": 3, "rest": true}"#,
    #"{"id": "g", "count": "auto", "limit": 900, "rest": true}"#,
    #"{"id": "low", "prefixes": ["+331990000", "+331990021"], "limit": 300, "spillsTo": ["rest"]}, {"id": "rest", "rest": true}"#,
  ]

  private static func write(_ world: World, _ first: [Line], _ points: [Line], _ second: [Line], _ plan: String) throws
  {
    func text(_ lines: [Line]) -> String {
      "from,to,name,kind\n"
        + lines.map {
          "\(base + $0.numbers.lowerBound),\(base + $0.numbers.upperBound),\($0.label),\($0.kind)\n"
        }.joined()
    }
    try world.folder.write(text(first), to: "first.csv")
    try world.folder.write(text(points), to: "points.csv")
    try world.folder.write(text(second), to: "second.csv")
    try world.folder.write(plan, to: "plan.json")
  }

  private static func plan(_ providers: String, profile: String, more: String = "") -> String {
    let action =
      #""action": {"column": "kind", "values": {"block": "block", "both": "both", "allow": "allow", "remove": "remove"}}"#
    return """
      {"schema": 1, "name": "runs", "country": "FR", "profile": "\(profile)", \(more)
       "sources": [
         {"id": "first", "file": "first.csv", "from": "from", "to": "to", "label": "name", \(action)},
         {"id": "points", "file": "points.csv", "number": "from", "label": "name", \(action)},
         {"id": "second", "file": "second.csv", "from": "from", "to": "to", "label": "name", \(action)}],
       "providers": [\(providers)]}
      """
  }

  @Test(
    "B-141 C-04 Random ranges and points with holes and two labels come to what brute force says",
    arguments: 0..<40)
  func bruteForce(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let world = try World()
    let profile = seed % 2 == 0 ? "plain" : "balanced"
    let providers = Self.providers[seed / 2 % Self.providers.count]
    var before: Int?
    // Two days: the second finds its entries where the first put them.
    for day in 0..<2 {
      let (first, points, second) = (
        Self.lines(&random, points: false), Self.lines(&random, points: true), Self.lines(&random, points: false)
      )
      let expected = Self.expected(first + points + second)
      try Self.write(world, first, points, second, Self.plan(providers, profile: profile))
      let preview = try world.publisher().preview()
      let (candidate, report) = try world.publish()
      var found: [Int64: (isBlocked: Bool, label: String)] = [:]
      for (provider, entries) in try world.contents(candidate.manifest) {
        for (number, entry) in entries {
          let known = found[number]
          // Each family of a number is in one provider only.
          #expect(!(entry.families.contains(.blocked) && known?.isBlocked == true))
          #expect(entry.label.isEmpty || known?.label.isEmpty ?? true)
          found[number] = (
            entry.families.contains(.blocked) || known?.isBlocked == true, entry.label + (known?.label ?? "")
          )
        }
        let limit = try #require(candidate.manifest.provider(provider)).limit
        #expect(entries.values.reduce(0) { $0 + ($1.families == [.blocked, .identified] ? 2 : 1) } <= limit)
      }
      #expect(found.count == expected.count, "day \(day)")
      for (number, entry) in expected {
        #expect(found[number]?.isBlocked == entry.isBlocked && found[number]?.label == entry.label, "\(number)")
      }
      #expect(report.accounts.total.isBalanced && preview.accounts == report.accounts)
      #expect(preview.moved == report.moved)
      if !providers.contains("limit") { #expect(report.moved == 0) }
      #expect(preview.providers.map(\.needsReload) == report.providers.map(\.needsReload))
      #expect(world.shards.verify(candidate.manifest).isEmpty)
      if before == candidate.manifest.release { #expect(candidate.isUnchanged) }
      before = candidate.manifest.release
    }
  }

  @Test("A range with a label over a point with one: the first label, the block of either, each row's account")
  func mergedFields() throws {
    for isPointFirst in [true, false] {
      let world = try World()
      let sources = [
        #"{"id": "points", "file": "points.tsv", "number": "phone", "label": "name"}"#,
        #"{"id": "ranges", "file": "ranges.tsv", "pattern": "phone", "label": "name", "action": "both"}"#,
      ]
      try world.folder.write("phone\tname\n+33199000050\tPoint\n+33199000500\tAlone\n", to: "points.tsv")
      try world.folder.write("phone\tname\n+331990000##\tRange\n", to: "ranges.tsv")
      try world.folder.write(
        """
        {"schema": 1, "name": "runs", "country": "FR",
         "sources": [\((isPointFirst ? sources : sources.reversed()).joined(separator: ", "))],
         "providers": [{"id": "all", "rest": true}]}
        """, to: "plan.json")
      let (candidate, report) = try world.publish()
      let provider = try #require(candidate.manifest.providers.first)
      #expect(provider.counts == EntryCounts(blocking: 100, identification: 101))
      let shard = try Shard(world.shards.shardPath(provider.file))
      // With the range's own label the point is a number of the range like any other.
      #expect(shard.runCount == (isPointFirst ? 2 : 1) && shard.rowCount == (isPointFirst ? 2 : 1))
      var labels: [String] = []
      for number in [33_199_000_049, 33_199_000_050, 33_199_000_051, 33_199_000_500] as [Int64] {
        #expect(shard.find(PhoneNumber(number)) == (number < 33_199_000_500 ? [.blocked, .identified] : .identified))
        shard.forEachLabel(of: PhoneNumber(number)) { labels.append(String(decoding: $0, as: UTF8.self)) }
      }
      #expect(labels == ["Range", isPointFirst ? "Point" : "Range", "Range", "Alone"])
      #expect(report.conflictingLabels == 1)
      #expect(report.accounts.sources.map(\.occurrences.merged) == (isPointFirst ? [0, 1] : [0, 1]))
    }
  }

  @Test("A range that grows around what a full provider holds leaves it there, in both profiles")
  func growingRange() throws {
    for profile in ["plain", "balanced"] {
      let world = try World()
      try world.folder.write(
        """
        {"schema": 1, "name": "runs", "country": "FR", "profile": "\(profile)",
         "sources": [{"id": "fr", "file": "fr.txt", "format": "patterns", "action": "block"}],
         "providers": [{"id": "a", "prefixes": ["+33199"], "limit": 100, "spillsTo": ["b"]}, {"id": "b", "rest": true}]}
        """, to: "plan.json")
      try world.folder.write("+33199000100-+33199000199\n", to: "fr.txt")
      #expect(try world.publish().report.moved == 0)
      try world.folder.write("+33199000000-+33199000299\n", to: "fr.txt")
      let preview = try world.publisher().preview()
      let (candidate, report) = try world.publish()
      #expect(report.moved == 0 && preview.moved == 0)
      #expect(report.reloads == ["b"].compactMap(ProviderID.init) && preview.reloads == report.reloads)
      let contents = try world.contents(candidate.manifest)
      #expect(contents[try #require(ProviderID("a"))]?.keys.sorted() == Array(33_199_000_100...33_199_000_199))
      #expect(contents[try #require(ProviderID("b"))]?.count == 200)
    }
  }

  // MARK: A real list

  /// The ranges of the file, disjoint and ascending.
  private static func union() throws -> (ranges: [ClosedRange<Int64>], boundaries: [Int64]) {
    let data = try Data(contentsOf: URL(fileURLWithPath: SharedData.path("spam/fr_block_patterns.json")))
    let rows = try #require(JSONSerialization.jsonObject(with: data) as? [[String: String]])
    let ranges = rows.compactMap { row -> ClosedRange<Int64>? in
      guard let pattern = row["pattern"] else { return nil }
      let low = Int64(pattern.replacingOccurrences(of: "#", with: "0"))
      let high = Int64(pattern.replacingOccurrences(of: "#", with: "9"))
      return low.flatMap { low in high.map { low...$0 } }
    }
    #expect(ranges.count == 804)
    var union: [ClosedRange<Int64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = union.last, range.lowerBound <= last.upperBound {
        union[union.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        union.append(range)
      }
    }
    let boundaries = Set(ranges.flatMap { [$0.lowerBound - 1, $0.lowerBound, $0.upperBound, $0.upperBound + 1] })
    return (union, boundaries.sorted())
  }

  static let shapes = [
    (#""count": 8, "limit": 1999999"#, "plain"), (#""count": "auto""#, "plain"), (#""count": "auto""#, "balanced"),
  ]

  @Test(
    "The real list of 804 patterns: 14,951,001 numbers priced, split within limits, every boundary in one provider, in 100 kB",
    .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)), arguments: shapes)
  func realList(_ shape: (provider: String, profile: String)) throws {
    let world = try World()
    func write(_ more: String = "") throws {
      try world.folder.write(
        """
        {"schema": 1, "name": "france", "country": "FR", "profile": "\(shape.profile)",
         "sources": [{"id": "fr", "file": "\(SharedData.path("spam/fr_block_patterns.json"))", "pattern": "pattern",
                      "numbersAre": "international", "shortCodes": true, "action": "block"}\(more)],
         "providers": [{"id": "block", \(shape.provider), "rest": true}]}
        """, to: "plan.json")
    }
    try write()
    let preview = try world.publisher().preview()
    #expect(preview.ranges.map { "\($0.rows) \($0.covered)" } == ["804 14951001"])
    #expect(preview.accounts.total.read == 14_951_001 && preview.accounts.total.used == 14_951_001)
    #expect(preview.entries == 14_951_001)
    let (candidate, report) = try world.publish()
    #expect(report.providers.map(\.placement.counts) == preview.providers.map(\.placement.counts))
    let providers = candidate.manifest.providers
    #expect(providers.allSatisfy { $0.counts.total <= 1_999_999 })
    #expect(providers.reduce(0) { $0 + $1.counts.blocking } == 14_951_001)
    #expect(providers.reduce(0) { $0 + $1.bytes } < 100_000)

    let (union, boundaries) = try Self.union()
    #expect(union.reduce(0) { $0 + $1.count } == 14_951_001)
    let shards = try providers.map { try Shard(world.shards.shardPath($0.file)) }
    for number in boundaries {
      let holders = shards.count { $0.find(PhoneNumber(number)) == .blocked }
      #expect(holders == (union.contains { $0.contains(number) } ? 1 : 0), "\(number)")
    }
    // All of it, as ranges: no number twice, none missing.
    var held: [ClosedRange<Int64>] = []
    for shard in shards {
      let cursor = shard.makeCursor()
      while let run = try cursor.nextRun() {
        held.append(run.numbers.lowerBound.rawValue...run.numbers.upperBound.rawValue)
      }
    }
    held.sort { $0.lowerBound < $1.lowerBound }
    var joined: [ClosedRange<Int64>] = []
    for range in held {
      if let last = joined.last, last.upperBound + 1 == range.lowerBound {
        joined[joined.count - 1] = last.lowerBound...range.upperBound
      } else {
        #expect(joined.last.map { $0.upperBound < range.lowerBound } ?? true)
        joined.append(range)
      }
    }
    var touching: [ClosedRange<Int64>] = []
    for range in union {
      if let last = touching.last, last.upperBound + 1 == range.lowerBound {
        touching[touching.count - 1] = last.lowerBound...range.upperBound
      } else {
        touching.append(range)
      }
    }
    #expect(joined == touching)

    // The day after: two holes; nothing moves, and only who changed reloads. Once will do.
    guard shape.profile == "balanced" else { return }
    try world.folder.write("+33162000500\n+33948000000-+33948000999\n", to: "gone.txt")
    try write(#", {"id": "gone", "file": "gone.txt", "format": "patterns", "action": "remove"}"#)
    let (next, after) = try world.publish()
    #expect(after.moved == 0)
    let removed = 1 + (union.contains { $0.contains(33_948_000_000) } ? 1000 : 0)
    #expect(next.manifest.providers.reduce(0) { $0 + $1.counts.blocking } == 14_951_001 - removed)
    #expect(after.providers.count(where: \.needsReload) == (removed == 1 ? 1 : 2))
  }

  @Test("B-089 B-137 A pattern beyond maxPatternNumbers is refused with its price, an open-ended one always")
  func refusedPatterns() throws {
    let world = try World()
    try world.folder.write(
      """
      {"schema": 1, "name": "ranges", "country": "FR",
       "sources": [{"id": "lists", "file": "lists.txt", "format": "patterns", "action": "block"}],
       "providers": [{"id": "block", "rest": true}]}
      """, to: "plan.json")
    try world.folder.write("+3319900####\n+331########\n+7*\n*\n", to: "lists.txt")
    let report = try world.publisher().preview()
    #expect(report.accounts.total.refused == 3 && report.accounts.total.used == 10_000)
    let reasons = report.refusals.flatMap(\.examples).map(\.reason)
    #expect(reasons.contains { $0.contains("100,000,000 numbers") && $0.contains("10,000,000") }, "\(reasons)")
  }
}
