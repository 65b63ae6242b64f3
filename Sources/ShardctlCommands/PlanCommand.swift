internal import CommandLineKit
internal import DirectoryPublishing
internal import PositionedJSON

/// `shardctl plan`: what the plan comes to.
enum PlanCommand {
  static let command = Command(
    CommandDefinition(
      "plan", "show who gets what, the limits and the overlaps; write nothing", section: "Publishing",
      options: [PlanContext.memoryOption] + PlanContext.baseOptions + PlanContext.listOptions,
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
    } else if arguments[StandardOptions.quiet] {
      let exceeded = report.breaches.isEmpty ? [] : ["\(ReportText.plural(report.breaches.count, "guard")) exceeded"]
      try console.print(ReportText.summary("plan \(report.planName)", report, exceeded))
    } else {
      for line in ReportText.lines(report, bytesAreEstimates: true) { try console.print(line) }
    }
    for warning in ReportText.warnings(report) { console.note(warning) }
    for breach in report.breaches { console.note("warning: \(breach)") }
    if !report.breaches.isEmpty {
      console.note("apply and build would stop here with exit code 65; --accept-change lets them go on")
    }
    return .success
  }
}
