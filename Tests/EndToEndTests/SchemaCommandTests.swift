import PlanFile
import PositionedJSON
import TestSupport
import Testing

@Suite struct SchemaCommandTests {
  @Test("schema prints the schema that the library has, needs no plan, and a plan of sample is valid by it")
  func schema() throws {
    let folder = try TemporaryFolder()
    let run = try ToolRun(["schema"], in: folder.path)
    run.expect(0)
    #expect(run.errors == "" && run.output == String(decoding: PlanSchema.document(), as: UTF8.self))
    try ToolRun(["sample", "--rows", "1000", "--output", "try"], in: folder.path).expect(0)
    let plan = try Plan.load(path: folder.path("try/plan.json"))
    let validator = try JSONSchemaValidator(Array(run.output.utf8))
    #expect(try validator.errors(of: JSONDocument(plan.bytes, file: nil).root) == [])
  }
}
