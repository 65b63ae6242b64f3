internal import CommandLineKit
internal import PlanFile

/// `shardctl schema`: what editors check plans with.
enum SchemaCommand {
  static let command = Command(
    CommandDefinition(
      "schema", "print the JSON Schema of plan.json, for editors and generators", section: "Data",
      discussion: """
        The schema is of draft 2020-12. A plan that names it with "$schema" is completed and checked while it is \
        written; what only the files can tell, such as columns and areas, `shardctl plan` checks.
        """,
      examples: [
        CommandDefinition.Example(
          "shardctl schema > plan.schema.json", "then \"$schema\": \"plan.schema.json\" in the plan")
      ])
  ) { _, console in
    try console.write(String(decoding: PlanSchema.document(), as: UTF8.self))
    return .success
  }
}
