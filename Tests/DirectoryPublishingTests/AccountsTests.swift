import CallDirectory
import DirectoryPublishing
import DirectorySources
import Foundation
import PositionedJSON
import ShardPlanning
import TestSupport
import Testing

@Suite struct AccountsTests {
  @Test(arguments: ["collapse", "keep"])
  func `B-061: Every occurrence of every source ends in exactly one way`(overlaps: String) throws {
    var compared = 0
    for seed in 100..<180 {
      var random = RandomWorld(seed: UInt64(seed))
      let world = try World()
      do {
        try random.write(to: world, overlaps: overlaps)
        let (candidate, report) = try world.publish()
        #expect(candidate.manifest.accounts == report.accounts)
        for source in report.accounts.sources {
          let rows = try Self.rows(of: source.id, in: world)
          #expect(source.occurrences.isBalanced, "seed \(seed): \(source)")
          #expect(source.rows == rows.count && source.lines == rows.count + 1, "seed \(seed)")
          #expect(source.occurrences.read == rows.reduce(0) { $0 + Self.occurrences($1) }, "seed \(seed)")
          let malformed = rows.filter { !$0.phone.hasPrefix("+7495123450") }
          let refused = malformed.reduce(0) { $0 + Self.occurrences($1) }
          #expect(source.occurrences.refused >= refused, "seed \(seed)")
          #expect(report.reading.sources.first { $0.id == source.id }?.counts.refused == refused, "seed \(seed)")
        }
        let sum = report.accounts.total
        #expect(sum.read == report.reading.total.read && sum.isBalanced)
        let entries = try world.contents(candidate.manifest).values
          .reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.families.rawValue.nonzeroBitCount } }
        #expect(entries == report.providers.reduce(0) { $0 + $1.placement.counts.total }, "seed \(seed)")
        if overlaps == "collapse" { #expect(sum.used >= entries && sum.used - entries <= 2 * 10, "seed \(seed)") }
        compared += 1
      } catch let error as PlanningError {
        guard case .noRoom = error.kind else { throw error }
      }
    }
    #expect(compared > 20, "only \(compared) plans had room")
  }

  @Test func `A claim that matches nothing is located in the plan's text`() throws {
    let world = try World()
    try world.write([World.Row(phone: "+74951234567", label: "x", area: "north")], to: "rows")
    try world.plan(
      sources: ["rows"],
      providers: "\n  {\"id\": \"p\", \"anyOf\": [{\"areas\": [\"north\"]},\n    {\"areas\": [\"nroth\"]}]}")
    #expect { _ = try world.publisher().preview() } throws: { error in
      guard let error = error as? PlanningError, case .claimMatchesNothing = error.kind else { return false }
      let lines = String(
        decoding: (try? Data(contentsOf: URL(fileURLWithPath: world.planPath))) ?? Data(), as: UTF8.self
      )
      .split(separator: "\n", omittingEmptySubsequences: false)
      let line = lines.firstIndex { $0.contains("nroth") } ?? -1
      return error.place == "\(world.planPath):\(line + 1):16" && error.hint.contains("\"north\"")
        && error.keyPath == "providers[0].anyOf[1].areas[0]"
    }
  }

  @Test func `A claim that may be empty gives an empty shard`() throws {
    let world = try World()
    try world.write([World.Row(phone: "+74951234567", label: "x", area: "north")], to: "rows")
    try world.plan(
      sources: ["rows"],
      providers: "{\"id\": \"p\", \"areas\": [\"nobody\"], \"mayBeEmpty\": true}, {\"id\": \"q\", \"rest\": true}")
    let manifest = try world.publish().candidate.manifest
    #expect(manifest.providers.map(\.counts.total) == [0, 1])
    #expect(manifest.providers[0].numbers == nil && world.shards.verify(manifest).isEmpty)
  }

  @Test func `The report in JSON has every figure`() throws {
    let world = try World.threeProviders(count: 30)
    try world.folder.write("phone\tname\tarea\tkind\nnone\tx\tnorth\tboth\n", to: "companies.tsv")
    try world.plan(sources: ["companies"], providers: "{\"id\": \"p\", \"rest\": true}")
    var json = JSONWriter()
    try world.publish().report.write(to: &json) { $0.member("release", 1) }
    let root = try JSONDocument(json.take(), file: "report").root.asObject()
    #expect(try root.string("schema") == "shardctl.plan-report/1")
    #expect(try root.object("accounts").int("refused") == 2)
    #expect(try Array(root.array("refusals")).count == 1)
    #expect(try Array(root.array("providers")).count == 1)
    #expect(try root.int("release") == 1)
  }

  private static func rows(of source: String, in world: World) throws -> [World.Row] {
    let text = String(
      decoding: try Data(contentsOf: URL(fileURLWithPath: world.folder.path("\(source).tsv"))), as: UTF8.self)
    return text.split(separator: "\n").dropFirst().map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return World.Row(phone: fields[0], label: fields[1], area: fields[2], kind: fields[3])
    }
  }

  private static func occurrences(_ row: World.Row) -> Int { row.kind == "both" ? 2 : 1 }
}
