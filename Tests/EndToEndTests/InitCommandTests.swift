import Foundation
import PlanFile
import TestSupport
import Testing

@Suite("shardctl init")
struct InitCommandTests {
  @Test("A first plan is written, run and never overwritten without --force")
  func firstPlan() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<30).map { "(212) 555-0\(100 + $0),Shop \($0),\($0 % 2 == 0 ? "NY" : "NJ")" }
    try folder.write("phone,name,state\n" + rows.joined(separator: "\n"), to: "shops.csv")
    let run = try ToolRun(["init", "shops.csv"], in: folder.path)
    run.expect(0)
    #expect(
      run.output.contains(
        "source \"shops\": shops.csv, csv, numbers in \"phone\", label in \"name\", area in \"state\""))
    #expect(run.output.contains("a provider of its own for some would claim \"areas\": [\"NJ\", \"NY\"]"))
    #expect(run.output.contains("plan.json is written"))
    let plan = try ToolRun(["plan"], in: folder.path)
    plan.expect(0)
    #expect(plan.output.contains("30 read = 30 used"))

    let again = try ToolRun(["init", "shops.csv"], in: folder.path)
    again.expect(73)
    #expect(again.errors.contains("plan.json: is there already") && again.errors.contains("--force"))
    try folder.write("{}", to: "plan.json")
    try ToolRun(["init", "--force", "--quiet", "shops.csv"], in: folder.path).expect(0)
    #expect(try Plan.load(path: folder.path("plan.json")).sources.count == 1)
    try ToolRun(["init", "-o", "sub.json", "--json", "shops.csv"], in: folder.path).expect(0)
  }

  @Test("The first plan of files of many formats, packed ones among them, applies as it is, and the phone answers")
  func manyFormats() throws {
    let world = try World(plan: "{}")
    let folder = world.folder
    func numbers(_ area: Int) -> [String] { (0..<30).map { "(\(area)) 555-01\($0 < 10 ? "0" : "")\($0)" } }
    try folder.write("phone,name\n" + numbers(212).map { "\($0),Csv\n" }.joined(), to: "a.csv")
    try folder.write("name\tphone\n" + numbers(213).map { "Packed\t\($0)\n" }.joined(), to: "b.tsv")
    try folder.write(
      "[" + numbers(214).map { "{\"tel\": \"\($0)\", \"title\": \"Json\"}" }.joined(separator: ",") + "]", to: "c.json")
    try folder.write(numbers(215).map { "{\"tel\": \"\($0)\", \"title\": \"Lines\"}\n" }.joined(), to: "d.jsonl")
    try folder.write(
      numbers(216).map { "BEGIN:VCARD\nVERSION:3.0\nFN:Card\nTEL:\($0)\nEND:VCARD\n" }.joined(), to: "e.vcf")
    try folder.write(numbers(217).joined(separator: "\n"), to: "spam.txt")
    let pack = try ToolRun(shell: "gzip b.tsv && gzip -c e.vcf > f.vcf.gz && rm e.vcf", in: folder.path)
    try #require(pack.status == 0)
    let files = ["a.csv", "b.tsv.gz", "c.json", "d.jsonl", "f.vcf.gz", "spam.txt"]
    let run = try ToolRun(["init", "--force"] + files, in: folder.path)
    run.expect(0)
    for file in files { #expect(run.output.contains(": \(file), "), "\(run)") }
    let report = try world.succeed("apply", "--json").json()
    let accounts = try #require(report["accounts"] as? [String: Any])
    let total = try #require(accounts["total"] as? [String: Any] ?? accounts)
    #expect(total["read"] as? Int == 180 && total["used"] as? Int == 180, "\(report)")
    let expected = [
      (212, "identified, Csv from directory"), (213, "identified, Packed from directory"),
      (214, "identified, Json from directory"), (215, "identified, Lines from directory"),
      (216, "identified, Card from directory"), (217, "blocked by directory"),
    ]
    for (area, words) in expected { #expect(try world.words("+1\(area)5550105") == words) }
  }

  @Test("A file that is not there, without numbers, or of an encoding that no rule tells is said")
  func refused() throws {
    let folder = try TemporaryFolder()
    try folder.write("a,b\nx,y\n", to: "none.csv")
    try folder.write([0x70, 0x0A, 0xFF, 0x80, 0x81, 0xFF, 0x80], to: "bytes.csv")
    try ToolRun(["init"], in: folder.path).expect(64)
    try ToolRun(["init", "missing.csv"], in: folder.path).expect(66)
    let none = try ToolRun(["init", "none.csv"], in: folder.path)
    none.expect(65)
    #expect(none.errors.contains("its columns are \"a\", \"b\""))
    let bytes = try ToolRun(["init", "bytes.csv"], in: folder.path)
    bytes.expect(65)
    #expect(bytes.errors.contains("--encoding"))
    #expect(try ToolRun(["plan"], in: folder.path).status != 0)
    let same = try ToolRun(["init", "--force", "-o", "./none.csv", "none.csv"], in: folder.path)
    same.expect(73)
    #expect(same.errors.contains("is the file none.csv that is to be looked at"))
    #expect(try String(contentsOfFile: folder.path("none.csv"), encoding: .utf8) == "a,b\nx,y\n")
  }

  @Test("Names are relative to the current folder; a plan whose folder is not there is named as given, with what to do")
  func places() throws {
    let folder = try TemporaryFolder()
    let missing = try ToolRun(["init", "nope.tsv", "-o", "sub/q.json"], in: folder.path)
    missing.expect(66)
    #expect(missing.errors.contains("nope.tsv: there is no such file"))
    #expect(missing.errors.contains("relative to the current folder"))
    try folder.write("phone,name\n+74951234567,A\n", to: "a.csv")
    let output = try ToolRun(["init", "a.csv", "-o", "x/y.json"], in: folder.path)
    output.expect(73)
    #expect(output.errors.contains("x/y.json: cannot be written: there is no folder x"))
    #expect(output.errors.contains("hint: make it with mkdir -p x") && !output.errors.contains(".tmp"))
  }

  @Test(
    "What export writes is read back with its blocks by the plan that init writes", arguments: ["csv", "jsonl", "tsv"])
  func exports(format: String) throws {
    let world = try World(
      plan: #"""
        {"schema": 1, "name": "directory", "sources": [{"id": "a", "file": "a.csv", "number": "n", "label": "l",
          "action": {"column": "k", "values": {"i": "identify", "b": "block", "2": "both"}}}],
          "providers": [{"id": "p", "rest": true}]}
        """#,
      ["a.csv": "n,l,k\n+74951234567,Alpha,i\n+74951234568,,b\n+74951234569,Beta,2\n+74951234570,,b\n"])
    try world.succeed("build")
    let shard = try #require(
      try FileManager.default.contentsOfDirectory(atPath: world.folder.path("shards")).first { $0.hasSuffix(".shard") })
    try world.succeed("export", "shards/\(shard)", "--format", format, "-o", "out.\(format)")
    try world.succeed("init", "out.\(format)", "-o", "again.json")
    let plan = try world.succeed("plan", "--plan", "again.json").output
    #expect(plan.contains("5 read = 5 used"), "\(plan)")
  }

  @Test("A packed file that is cut short is said as such; rows that no source takes are said on the error stream")
  func losses() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<30).map { "(212) 555-0\(100 + $0),Shop,US" } + [",Shop,MX"]
    try folder.write("phone,name,country\n" + rows.joined(separator: "\n"), to: "a.csv")
    let run = try ToolRun(["init", "a.csv"], in: folder.path)
    run.expect(0)
    #expect(run.errors.contains("a.csv: 1 row has no source") && run.errors.contains("MX 1"))
    // The first bytes of a member whose one block is stored and never ends.
    try folder.write(
      [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0, 200, 0, 55, 255] + Array("phone,name\n".utf8), to: "cut.csv.gz")
    let cut = try ToolRun(["init", "-o", "b.json", "cut.csv.gz"], in: folder.path)
    cut.expect(65)
    #expect(cut.errors.contains("the file is cut short or damaged"))
  }
}
