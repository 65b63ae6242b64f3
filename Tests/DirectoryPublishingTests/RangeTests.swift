import CallDirectory
import DirectoryPublishing
import DirectorySources
import Foundation
import PhoneNumbering
import PlanFile
import ShardFormat
import ShardPlanning
import TestSupport
import Testing

/// Patterns and ranges from their source to the shards.
@Suite("Ranges through plans")
struct RangePlanTests {
  private static let plan = """
    {"schema": 1, "name": "ranges", "country": "FR",
     "sources": [
       {"id": "lists", "file": "lists.txt", "format": "patterns", "action": "block"},
       {"id": "labels", "file": "labels.tsv", "pattern": "pattern", "label": "name", "action": "both"},
       {"id": "more", "file": "more.csv", "from": "from", "to": "to", "label": "name"},
       {"id": "ours", "file": "ours.txt", "format": "numbers", "action": "allow"},
       {"id": "gone", "file": "gone.txt", "format": "patterns", "action": "remove"}],
     "providers": [{"id": "low", "prefixes": ["+331990000"], "limit": 150, "spillsTo": ["rest"]},
                   {"id": "rest", "rest": true}]}
    """

  /// Nested, overlapping, touching and equal ranges, holes, and two labels.
  private static let files = [
    "lists.txt": "# blocks\n0199 00 00 ##\n+331990000[]\n33199000050-33199000250\n+33 1 99 00 02 51\n0199 00 10 0#\n",
    "labels.tsv": "pattern\tname\n+3319900007#\tInner\n+33199 0000 ##\tOuter\n+33199 0000 75\tPoint\n",
    "more.csv": "from,to,name\n33199000060,0199000079,Early\n33199000300,33199000309,Alone\n",
    "ours.txt": "0199000066\n0199000120\n0199009999\n",
    "gone.txt": "01990000 9#\n+33199001005\n",
  ]

  /// The same by hand: what each row adds to each number, in the order of sources and lines.
  private static func expected() -> [Int64: (isBlocked: Bool, label: String)] {
    let base: Int64 = 33_199_000_000
    var blocks: Set<Int64> = []
    var labels: [Int64: String] = [:]
    func label(_ range: ClosedRange<Int64>, _ text: String) {
      for number in range where labels[base + number] == nil { labels[base + number] = text }
    }
    for range in [0...99, 50...250, 251...251, 1000...1009] as [ClosedRange<Int64>] {
      blocks.formUnion(range.map { base + $0 })
    }
    blocks.formUnion((0...99).map { base + $0 })
    label(70...79, "Inner")
    label(0...99, "Outer")
    label(75...75, "Point")
    label(60...79, "Early")
    label(300...309, "Alone")
    for allowed in [66, 120, 9999] as [Int64] { blocks.remove(base + allowed) }
    for removed in Array(90...99) + [1005] as [Int64] {
      blocks.remove(base + removed)
      labels[base + removed] = nil
    }
    var entries: [Int64: (isBlocked: Bool, label: String)] = [:]
    for number in blocks.union(labels.keys) { entries[number] = (blocks.contains(number), labels[number] ?? "") }
    return entries
  }

  @Test(
    "Nested, overlapping and touching ranges with holes and two labels come to what their numbers come to one by one (B-083, B-136, B-141)"
  )
  func wholePath() throws {
    let world = try World()
    for (name, text) in Self.files { try world.folder.write(text, to: name) }
    try world.folder.write(Self.plan, to: "plan.json")
    let preview = try world.publisher().preview()
    let (candidate, report) = try world.publish()
    let contents = try world.contents(candidate.manifest)
    var found: [Int64: (isBlocked: Bool, label: String)] = [:]
    for (provider, entries) in contents {
      for (number, entry) in entries {
        var sum = found[number] ?? (false, "")
        sum.isBlocked = sum.isBlocked || entry.families.contains(.blocked)
        sum.label += entry.label
        found[number] = sum
      }
      #expect(entries.count <= (provider.rawValue == "low" ? 150 : 2000))
    }
    let expected = Self.expected()
    #expect(found.keys.sorted() == expected.keys.sorted())
    for (number, entry) in expected {
      #expect(found[number]?.isBlocked == entry.isBlocked && found[number]?.label == entry.label)
    }

    // Read = used + merged + removed + dropped + unclaimed + refused, exactly, in numbers and families.
    let total = report.accounts.total
    #expect(total.isBalanced)
    #expect(total.refused == 1)
    let lists = report.accounts.sources[0].occurrences
    #expect(lists.read == 100 + 1 + 201 + 1 + 10 && report.accounts.sources[0].rows == 5)
    #expect(report.accounts.sources[1].occurrences.read == 2 * (10 + 100 + 1))
    #expect(report.accounts.sources[2].occurrences.read == 20 + 10)
    #expect(report.accounts.sources[4].occurrences.read == 11)
    // The allow rows and remove rows that cut nothing: one number far from every range.
    #expect(report.cuts.allowed == 2 && report.cuts.removed == 11 && report.cuts.withoutEffect == 1)

    // What it costs: rows, the sum of their numbers, and the union.
    #expect(
      report.ranges.map { "\($0.source) \($0.rows) \($0.numbers) \($0.covered)" } == [
        "lists 4 312 262", "labels 3 111 100", "more 2 30 30", "gone 2 11 11",
      ])
    #expect(preview.ranges == report.ranges && preview.accounts == report.accounts)
  }

  @Test("A look-up of a number inside a range finds the block, dialled as people dial it (B-136)")
  func lookup() throws {
    let world = try World()
    try world.folder.write("03023125*\n", to: "lists.txt")
    try world.folder.write(
      """
      {"schema": 1, "name": "ranges", "country": "DE", "maxPatternNumbers": 1000,
       "sources": [{"id": "lists", "file": "lists.txt", "format": "patterns", "action": "block"}],
       "providers": [{"id": "block", "rest": true}]}
      """, to: "plan.json")
    // Numbers of nine to fifteen digits begin so: more than this plan lets a pattern have.
    #expect(throws: SourceError.self) { try world.publish() }
    let (candidate, _) = try world.withPatterns("03023125#\n03023125##\n03023125###\n")
    let file = try #require(candidate.manifest.providers.first?.file)
    let shard = try Shard(world.shards.shardPath(file))
    for text in ["03023125001", "+49 30 23125-001", "0049302312501", "0302312599", "030231251"] {
      let candidates = CallerMatching.candidates(for: text, region: RegionCode("DE"))
      #expect(candidates.blocking.contains { shard.find($0).contains(.blocked) }, "\(text)")
    }
    for text in ["03023126001", "030231250010", "03023125"] {
      let candidates = CallerMatching.candidates(for: text, region: RegionCode("DE"))
      #expect(!candidates.blocking.contains { shard.find($0).contains(.blocked) }, "\(text)")
    }
  }
}

extension World {
  fileprivate func withPatterns(_ text: String) throws -> (candidate: ReleaseCandidate, report: PlanReport) {
    try folder.write(text, to: "lists.txt")
    return try publish()
  }
}
