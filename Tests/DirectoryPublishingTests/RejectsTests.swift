import CallDirectory
import DirectoryPublishing
import DirectorySources
import Foundation
import ShardPlanning
import TestSupport
import Testing

@Suite("Lists of rejected and conflicting rows")
struct RejectsTests {
  private func text(_ world: World, _ name: String) -> String? {
    FileManager.default.contents(atPath: world.folder.path(name)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func options(_ world: World, threads: Int? = nil) -> PublishingOptions {
    var options = PublishingOptions()
    options.rejects = world.folder.path("bad")
    options.conflicts = world.folder.path("conflicts.tsv")
    options.threads = threads
    return options
  }

  private func small() throws -> World {
    let world = try World()
    try world.write(
      [
        World.Row(phone: "+74951234567", label: "One"), World.Row(phone: "no\\ne"),
        World.Row(phone: "+74951234568"), World.Row(phone: "+74951234569"),
        World.Row(phone: "+74951234567", label: "Two"), World.Row(phone: "+74951234567", label: "One"),
        World.Row(phone: "+74951234570"), World.Row(phone: "+74951234571", label: "Same"),
      ], to: "a")
    try world.write(
      [
        World.Row(phone: "8 495 123-45-69", label: "Named"), World.Row(phone: "12"),
        World.Row(phone: "84951234571", label: "Same"), World.Row(phone: "84951234570", kind: "remove"),
      ], to: "b")
    try world.plan(
      sources: ["a", "b"], providers: "{\"id\": \"p\", \"sources\": [\"b\"]}, {\"id\": \"rest\", \"rest\": true}")
    return world
  }

  @Test("REPORT: refused rows stand as they are in the order of files, one reason each; rows nobody labels too (B-133)")
  func rejects() throws {
    let world = try small()
    let report = try world.publisher(options(world)).preview()
    #expect(text(world, "bad") == "no\\ne\t\t\tidentify\n+74951234568\t\t\tidentify\n12\t\t\tidentify\n")
    let (a, b) = (world.folder.path("a.tsv"), world.folder.path("b.tsv"))
    let reasons = try #require(text(world, "bad.reasons.tsv")).split(separator: "\n").map(String.init)
    #expect(reasons.count == 3)
    #expect(reasons[0].hasPrefix("\(a)\t3\t1\t"))
    #expect(reasons[1] == "\(a)\t4\t\tno label")
    #expect(reasons[2].hasPrefix("\(b)\t3\t1\ttoo short"))
    #expect(report.refusals.reduce(0) { $0 + $1.count } == 3)
    let names = try FileManager.default.contentsOfDirectory(atPath: world.folder.path(""))
    #expect(!names.contains { $0.hasSuffix(".tmp") }, "\(names)")
  }

  @Test(
    "B-084, DUP: each distinct label of a number in conflict has a line that says who uses it; equal ones are counted")
  func conflicts() throws {
    let world = try small()
    let report = try world.publisher(options(world)).preview()
    let a = world.folder.path("a.tsv")
    #expect(text(world, "conflicts.tsv") == "74951234567\tOne\t\(a)\t2\trest\n74951234567\tTwo\t\(a)\t6\t\n")
    #expect(report.conflictingLabels == 1 && report.repeatedLabels == 1)
  }

  @Test(
    "A list never takes the name of what the run reads, of a release or of the other list, whatever link leads there")
  func lists() throws {
    let world = try small()
    let plan = try String(contentsOfFile: world.planPath, encoding: .utf8)
    try world.folder.write("x\ty\n", to: "areas.tsv")
    try world.folder.write(
      plan.replacingOccurrences(of: #""file": "b.tsv","#, with: #""file": "b*.tsv", "areaMap": "areas.tsv","#),
      to: "plan.json")
    try world.publish()
    let files = FileManager.default
    let path = { (name: String) in world.folder.path(name) }
    try files.createSymbolicLink(atPath: path("link.tsv"), withDestinationPath: path("a.tsv"))
    try files.linkItem(atPath: path("b.tsv"), toPath: path("hard"))
    try files.createSymbolicLink(atPath: path("there"), withDestinationPath: path("shards/releases"))
    try files.createSymbolicLink(atPath: path("x.reasons.tsv"), withDestinationPath: path("a.tsv"))
    let names = [
      "a.tsv", "b.tsv", "./b.tsv", "link.tsv", "hard", "plan.json", "areas.tsv", "shards/bad", "there/bad",
      "shards/manifest.json", "shards/releases/../bad",
    ]
    let before = try world.files()
    func refusal(_ rejects: String?, _ conflicts: String?) throws {
      var options = PublishingOptions()
      options.rejects = rejects.map(path)
      options.conflicts = conflicts.map(path)
      for run in [{ _ = try world.publisher(options).preview() }, { _ = try world.publisher(options).stage() }] {
        let error = #expect(throws: ReleaseError.self, "\(rejects ?? "-") \(conflicts ?? "-")") { try run() }
        #expect(error?.kind == .notWritable && error?.what.hasPrefix("--") == true, "\(String(describing: error))")
      }
    }
    for name in names {
      try refusal(name, nil)
      try refusal(nil, name)
    }
    try refusal("x", nil)
    try refusal("bad", "bad")
    try refusal("bad", "./bad")
    try refusal("bad", "bad.reasons.tsv")
    #expect(
      try world.files() == before && text(world, "bad") == nil && text(world, "a.tsv")?.hasPrefix("phone") == true)
    _ = try world.publisher(options(world)).preview()
    #expect(text(world, "bad") != nil)
  }

  @Test("Under keep a label that one provider prefers is used by that one")
  func conflictsUnderKeep() throws {
    let world = try World()
    try world.write([World.Row(phone: "+74951234567", label: "A\\b")], to: "a")
    try world.write([World.Row(phone: "+74951234567", label: "B")], to: "b")
    try world.plan(
      sources: ["a", "b"], providers: "{\"id\": \"pb\", \"sources\": [\"b\"]}, {\"id\": \"pa\", \"sources\": [\"a\"]}",
      more: "\"overlaps\": \"keep\",")
    _ = try world.publisher(options(world)).preview()
    let (a, b) = (world.folder.path("a.tsv"), world.folder.path("b.tsv"))
    #expect(text(world, "conflicts.tsv") == "74951234567\tA\\\\b\t\(a)\t2\tpa\n74951234567\tB\t\(b)\t2\tpb\n")
  }

  @Test(
    "A number with a label per row has a line per row, in the order of the rows, at a cost that grows with their number"
  )
  func manyLabels() throws {
    let world = try World()
    let count = 40_000
    try world.write((0..<count).map { World.Row(phone: "+74951234567", label: "Label \($0)") }, to: "a")
    try world.plan(sources: ["a"], providers: "{\"id\": \"rest\", \"rest\": true}")
    _ = try world.publisher(options(world)).preview()
    let lines = try #require(text(world, "conflicts.tsv")).utf8.split(separator: 0x0A)
    #expect(lines.count == count)
    let labels = lines.map { String(decoding: $0.split(separator: 0x09)[1], as: UTF8.self) }
    #expect(labels == (0..<count).map { "Label \($0)" })
  }

  @Test("A plan that fails over its rows leaves the rejects, one that cannot read them leaves the file from before")
  func failingRuns() throws {
    let world = try small()
    try world.plan(sources: ["a", "b"], providers: "{\"id\": \"p\", \"areas\": [\"nowhere\"]}")
    #expect(throws: PlanningError.self) { try world.publisher(options(world)).preview() }
    #expect(text(world, "bad")?.split(separator: "\n").count == 3)
    #expect(text(world, "conflicts.tsv") == nil)
    // All rows of a source refused is an error, and just then one wants to see them.
    try world.write([World.Row(phone: "x")], to: "b")
    try world.folder.write(
      String(decoding: Data(contentsOf: URL(fileURLWithPath: world.planPath)), as: UTF8.self)
        .replacingOccurrences(of: "\"allowEmpty\": true", with: "\"allowEmpty\": false"), to: "plan.json")
    #expect(throws: SourceError.self) { try world.publisher(options(world)).preview() }
    #expect(text(world, "bad")?.hasSuffix("x\t\t\tidentify\n") == true)
    let before = text(world, "bad")
    try FileManager.default.removeItem(atPath: world.folder.path("b.tsv"))
    #expect(throws: SourceError.self) { try world.publisher(options(world)).preview() }
    #expect(text(world, "bad") == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: world.folder.path(""))
    #expect(!names.contains { $0.hasSuffix(".tmp") }, "\(names)")
  }

  @Test("Where no file can be made the run fails before it reads")
  func notWritable() throws {
    let world = try small()
    for path in ["no/such/folder/bad", "/dev/null"] {
      var options = options(world)
      options.rejects = path.hasPrefix("/") ? path : world.folder.path(path)
      let error = #expect(throws: ReleaseError.self) { try world.publisher(options).preview() }
      #expect(error?.kind == .notWritable)
    }
  }

  @Test(
    "In random worlds there is a reason for every refusal of the accounts, and the lists do not depend on threads",
    arguments: 1...12 as ClosedRange<UInt64>)
  func randomWorlds(seed: UInt64) throws {
    let world = try World()
    var random = RandomWorld(seed: seed)
    try random.write(to: world, overlaps: seed % 2 == 0 ? "keep" : "collapse")
    guard let report = try? world.publisher(options(world, threads: 1)).preview() else { return }
    let first = [text(world, "bad"), text(world, "bad.reasons.tsv"), text(world, "conflicts.tsv")]
    let reasons = try #require(first[1]).split(separator: "\n")
    #expect(reasons.count == report.refusals.reduce(0) { $0 + $1.count })
    #expect(
      Set(try #require(first[2]).split(separator: "\n").map { $0.prefix { $0 != "\t" } }).count
        == report.conflictingLabels)
    // The rows come to what was refused of them.
    let rows = try #require(first[0]).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(rows.count == reasons.count)
    _ = try world.publisher(options(world, threads: 4)).preview()
    #expect([text(world, "bad"), text(world, "bad.reasons.tsv"), text(world, "conflicts.tsv")] == first)
  }
}
