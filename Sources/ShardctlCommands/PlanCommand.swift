internal import CallDirectory
internal import CommandLineKit
internal import DirectoryPublishing
internal import PositionedJSON

/// `shardctl plan`: what the plan comes to.
enum PlanCommand {
  static let suggestOption = Option.flag(
    "suggest", "propose the fewest providers that hold the rows with whole areas, and their claims")
  static let limitOption = Option<Int?>.integer(
    "limit", "N", in: 1...EntryLimit.maximum,
    "the most entries of a suggested provider (default: \(EntryLimit.maximum))")

  static let command = Command(
    CommandDefinition(
      "plan", "show who gets what, the limits and the overlaps; write nothing", section: "Publishing",
      discussion: """
        With --suggest the claims of the plan play no part: its rows are counted by area, the areas are packed whole into as few \
        providers as can be found, and the rows are planned with these. An area is split only where it alone is larger than the \
        limit. What is printed behind the figures can stand in the plan as its "providers"; --quiet prints nothing else.
        """,
      options: [PlanContext.memoryOption] + PlanContext.baseOptions + PlanContext.listOptions + [
        suggestOption, limitOption,
      ],
      examples: [
        CommandDefinition.Example("shardctl plan --plan russia/plan.json", "preview the plan of another folder"),
        CommandDefinition.Example(
          "shardctl plan --suggest --limit 1800000", "providers that have room to grow by a tenth"),
      ],
      exits: [
        CommandDefinition.Exit(.dataError, "the rows do not fit the plan, or a source is wrong"),
        CommandDefinition.Exit(.noInput), CommandDefinition.Exit(.configuration),
      ])
  ) { arguments, console in
    if arguments[suggestOption] { return try suggestion(arguments, console) }
    if arguments[limitOption] != nil {
      throw Diagnostic("--limit", "goes with --suggest", hint: "limits of providers stand in the plan", status: .usage)
    }
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
