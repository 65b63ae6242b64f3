import TestSupport
import Testing

@Suite("shardctl number")
struct NumberCommandTests {
  private static let plan =
    #"{"schema": 1, "name": "d", "country": "RU", "sources": [{"id": "a", "file": "a.txt", "action": "block"}], "#
    + #""providers": [{"id": "p", "rest": true}]}"#

  @Test("National numbers are those of the plan's country, of --country before that, and without a plan of none")
  func country() throws {
    let folder = try TemporaryFolder()
    try ToolRun(["number", "8 495 123-45-67"], in: folder.path).expect(65)
    #expect(try ToolRun(["number", "+74951234567"], in: folder.path).output == "74951234567\n")
    try ToolRun(["number", "+74951234567", "--plan", "other.json"], in: folder.path).expect(66)
    try folder.write(Self.plan, to: "plan.json")
    #expect(try ToolRun(["number", "8 495 123-45-67"], in: folder.path).output == "74951234567\n")
    #expect(try ToolRun(["number", "030 1234567", "--country", "DE"], in: folder.path).output == "49301234567\n")
    let batch = try ToolRun(["number", "--batch", "-"], in: folder.path, input: "84951234567\n0301234567\tDE\n")
    #expect(batch.output == "84951234567\t74951234567\t\n0301234567\t49301234567\t\n")
    try folder.write("{", to: "plan.json")
    try ToolRun(["number", "+74951234567"], in: folder.path).expect(78)
    try ToolRun(["number", "+74951234567", "--country", "RU"], in: folder.path).expect(0)
  }

  @Test("A batch answers every line, also one that is no number and an empty one")
  func lines() throws {
    let folder = try TemporaryFolder()
    let run = try ToolRun(["number", "--batch", "-"], in: folder.path, input: "abc\n\n+74951234567\n")
    run.expect(0)
    #expect(run.output == "abc\t\tno digits\n\t\tno number\n+74951234567\t74951234567\t\n")
  }

  @Test("A batch of look-ups answers such lines too: no number, and nobody knows it")
  func lookups() throws {
    let world = try World(plan: Self.plan, ["a.txt": "+74951234567\n"])
    try world.succeed("apply")
    let run = try world.run("lookup", "--batch", "-", input: "abc\n\n84951234567\n")
    run.expect(0)
    #expect(run.output == "abc\t\tunknown\t\t\t\n\t\tunknown\t\t\t\n84951234567\t74951234567\tblocked\tp\t\t\n")
  }
}
