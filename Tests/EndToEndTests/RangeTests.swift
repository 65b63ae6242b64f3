import Foundation
import TestSupport
import Testing

/// Ranges through the whole of the tool: plan, release, real providers, store, look-up.
@Suite("Ranges end to end")
struct RangeTests {
  @Test(
    "The real list of 14,951,001 blocked numbers: planned, delivered by real providers, linked, looked up at every boundary",
    .enabled(if: SharedData.isPresent, Comment(rawValue: SharedData.absence)))
  func realList() throws {
    let path = SharedData.path("spam/fr_block_patterns.json")
    let world = try World(
      plan: """
        {"schema": 1, "name": "france", "country": "FR",
         "sources": [{"id": "fr", "file": "\(path)", "pattern": "pattern", "numbersAre": "international",
                      "shortCodes": true, "action": "block"}],
         "providers": [{"id": "block", "count": 8, "limit": 1999999, "rest": true}]}
        """)
    let preview = try world.succeed("plan")
    #expect(preview.output.contains("14,951,001"))
    try world.succeed("apply")
    let files = try world.shards().values.map { world.folder.path($0) }
    let bytes = try files.map { try FileManager.default.attributesOfItem(atPath: $0)[.size] as? Int ?? 0 }
    #expect(files.count == 8 && bytes.reduce(0, +) < 100_000)
    // What the providers delivered is what was planned: the store keeps links and nothing of its own.
    let own = FileManager.default.subpaths(atPath: world.folder.path(".shardctl/generations")) ?? []
    #expect(own.filter { $0.hasSuffix(".shard") }.isEmpty, "\(own)")
    try world.succeed("verify")

    let rows = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [[String: String]])
    let ranges = rows.compactMap { row -> ClosedRange<Int64>? in
      guard let pattern = row["pattern"], let low = Int64(pattern.replacingOccurrences(of: "#", with: "0")),
        let high = Int64(pattern.replacingOccurrences(of: "#", with: "9"))
      else { return nil }
      return low...high
    }
    #expect(ranges.count == 804)
    let ends = ranges.filter { $0.lowerBound > 10_000 }
    let numbers = Set(ends.flatMap { [$0.lowerBound - 1, $0.lowerBound, $0.upperBound, $0.upperBound + 1] }).sorted()
    let decisions = try world.lookup(numbers.map { "+\($0)" })
    for (number, decision) in zip(numbers, decisions) {
      let isBlocked = ranges.contains { $0.contains(number) }
      #expect(decision.kind == (isBlocked ? "blocked" : "unknown"), "\(number): \(decision.words)")
    }
    #expect(try world.words("3950").hasPrefix("blocked"))
  }

  @Test("Points in ranges with labels, through both profiles: export, inspect, look-up, and a day after")
  func mixed() throws {
    for profile in ["plain", "balanced"] {
      let world = try World(
        plan: """
          {"schema": 1, "name": "mixed", "country": "FR", "profile": "\(profile)",
           "sources": [
             {"id": "companies", "file": "companies.tsv", "number": "phone", "label": "name"},
             {"id": "ranges", "file": "ranges.tsv", "pattern": "phone", "label": "name", "action": "both"},
             {"id": "ours", "file": "ours.txt", "action": "allow"}],
           "providers": [{"id": "g", "count": 2, "rest": true}]}
          """,
        [
          "companies.tsv": "phone\tname\n+33199000050\tAlpha\n+33199000500\tBeta\n",
          "ranges.tsv": "phone\tname\n+331990000##\tRange\n", "ours.txt": "+33199000007\n",
        ])
      try world.succeed("apply")
      #expect(try world.words("+33199000049").hasPrefix("blocked by g-"))
      #expect(try world.words("+33199000049").contains(", Range from"))
      #expect(try world.words("+33199000050").contains(", Alpha from"))
      #expect(
        try world.words("+33199000007").hasPrefix("identified, Range") || world.words("+33199000007").contains("Range"))
      #expect(try !world.words("+33199000007").hasPrefix("blocked"))
      #expect(try world.words("+33199000500").contains("Beta from"))
      #expect(try world.words("+33199000100").hasPrefix("unknown"))
      var lines: [String] = []
      for id in ["g-1", "g-2"] {
        let file = try #require(try world.shards()[id])
        lines += try world.succeed("export", file).output.split(separator: "\n").map(String.init)
        _ = try world.succeed("inspect", file)
      }
      #expect(lines.count == 101)
      #expect(lines.contains("33199000007\tRange\tidentify") && lines.contains("33199000099\tRange\tboth"))
      #expect(lines.contains("33199000050\tAlpha\tboth") && lines.contains("33199000500\tBeta\tidentify"))
      let inspected = try world.succeed("inspect", try #require(try world.shards()["g-1"])).output
      #expect(inspected.contains("ranges: "), "\(inspected)")
      let explained = try world.succeed("explain", "+33199000049").output
      #expect(explained.contains("ranges.tsv") && explained.contains("Range"), "\(explained)")

      try world.folder.write("phone\tname\n+331990000##\tRange\n+33199003###\tMore\n", to: "ranges.tsv")
      let next = try world.succeed("plan").output
      #expect(next.contains("moved") == false || next.contains("0 moved") || next.contains("moved: 0"), "\(next)")
      try world.succeed("apply")
      #expect(try world.words("+33199003999").contains("More from"))
      try world.succeed("verify")
    }
  }
}
