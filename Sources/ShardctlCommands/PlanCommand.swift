internal import CommandLineKit
internal import DirectoryPublishing
internal import PositionedJSON

/// `shardctl plan`: what the plan comes to.
enum PlanCommand {
  static let command = Command(
    CommandDefinition(
      "plan", "show who gets what, the limits and the overlaps; write nothing", section: "Publishing",
      options: [PlanContext.memoryOption],
      examples: [
        CommandDefinition.Example("shardctl plan --plan russia/plan.json", "preview the plan of another folder")
      ],
      exits: [
        CommandDefinition.Exit(.dataError, "the rows do not fit the plan, or a source is wrong"),
        CommandDefinition.Exit(.noInput), CommandDefinition.Exit(.configuration),
      ])
  ) { arguments, console in
    let context = try PlanContext(arguments)
    let report = try context.publisher(arguments, console).preview()
    if arguments[StandardOptions.json] {
      var json = JSONWriter()
      report.write(to: &json)
      try console.print(json)
    } else {
      for line in ReportText.lines(report, bytesAreEstimates: true) { try console.print(line) }
    }
    return .success
  }
}
