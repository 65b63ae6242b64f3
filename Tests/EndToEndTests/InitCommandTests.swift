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
  }
}
