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
  static let without = Option<[String]>.texts(
    "without", .text("ID"), "tell what is lost when the user switches this provider off")
  static let order = Option<String?>.text(
    "order", .text("ID,ID…"), "tell what changes when the settings list these first, in this order")

  static let command = Command(
    CommandDefinition(
      "plan", "show who gets what, the limits and the overlaps; write nothing", section: "Publishing",
      discussion: """
        Below the providers stands what a phone pays: bytes to download, bytes of an update where there is a release before, \
        bytes on its disk while it switches, and how long loading takes, along straight lines between what was measured on \
        devices; of updates all is an estimate. With --without and --order it tells for how many numbers \
        a phone shows something else then, over the providers in the plan's order that the plan starts on.

        With --suggest the claims of the plan play no part: its rows are counted by area, the areas are packed whole into as few \
        providers as can be found, and the rows are planned with these. An area is split only where it alone is larger than the \
        limit. What is printed behind the figures can stand in the plan as its "providers"; --quiet prints nothing else.
        """,
      options: [without, order, PlanContext.memoryOption] + PlanContext.baseOptions + PlanContext.listOptions + [
        suggestOption, limitOption,
      ],
      examples: [
        CommandDefinition.Example("shardctl plan --plan russia/plan.json", "preview the plan of another folder"),
        CommandDefinition.Example("shardctl plan --without russia", "what a user loses who switches russia off"),
        CommandDefinition.Example(
          "shardctl plan --suggest --limit 1800000", "providers that have room to grow by a tenth"),
      ],
      exits: [
        CommandDefinition.Exit(.dataError, "the rows do not fit the plan, or a source is wrong"),
        CommandDefinition.Exit(.noInput), CommandDefinition.Exit(.configuration),
      ])
  ) { arguments, console in
    if arguments[suggestOption] {
      if !arguments[without].isEmpty || arguments[order] != nil {
        throw Diagnostic(
          "--suggest", "takes neither --without nor --order", hint: "ask them of the plan, once it has the providers",
          status: .usage)
      }
      return try suggestion(arguments, console)
    }
    if arguments[limitOption] != nil {
      throw Diagnostic("--limit", "goes with --suggest", hint: "limits of providers stand in the plan", status: .usage)
    }
    let context = try PlanContext(arguments)
    let report = try context.publisher(arguments, console, settings: settings(arguments)).preview()
    if arguments[StandardOptions.json] {
      var json = JSONWriter()
      report.write(to: &json, bytesAreEstimates: true)
      try console.print(json)
    } else if arguments[StandardOptions.quiet] {
      let exceeded = report.breaches.isEmpty ? [] : ["\(ReportText.plural(report.breaches.count, "guard")) exceeded"]
      try console.print(ReportText.summary("plan \(report.planName)", report, exceeded))
    } else {
      for line in ReportText.lines(report, bytesAreEstimates: true) { try console.print(line) }
      for line in ReportText.phoneCost(report.phoneCost) { try console.print(line) }
      if let effect = report.settingsEffect {
        for line in ReportText.settingsEffect(effect) { try console.print(line) }
      }
    }
    for warning in ReportText.warnings(report) { console.note(warning) }
    for breach in report.breaches { console.note("warning: \(breach)") }
    if !report.breaches.isEmpty {
      console.note("apply and build would stop here with exit code 65; --accept-change lets them go on")
    }
    return .success
  }

  private static func settings(_ arguments: ParsedArguments) throws -> SettingsChange? {
    let first = try arguments[order].map { text in
      try ProviderArguments.ids(text.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
    }
    let change = SettingsChange(without: try ProviderArguments.ids(arguments[without]), order: first ?? [])
    return change.isEmpty ? nil : change
  }
}
