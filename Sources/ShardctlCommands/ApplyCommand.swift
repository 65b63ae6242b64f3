internal import CommandLineKit
internal import DirectoryInstalling
internal import DirectoryPublishing
internal import DirectoryStore
internal import PlanFile
internal import PositionedJSON

/// `shardctl apply`: a release, loaded into every affected provider before it is switched to.
enum ApplyCommand {
  static let keepGoing = Option.flag(
    "keep-going", "switch the providers that were accepted even when others were refused")

  static let command = Command(
    CommandDefinition(
      "apply", "publish a release and load it into every affected provider", section: "Publishing",
      discussion: """
        Stages a release, loads it beside the installed data into every provider that is on and whose shard, library, \
        options or configuration changed, and switches release and store in one step when all were accepted. When one is \
        refused, nothing changes.
        """,
      options: [
        keepGoing, PlanContext.layoutOption, PlanContext.acceptChangeOption, PlanContext.memoryOption,
        PlanContext.timeoutOption,
      ]
        + PlanContext.baseOptions + PlanContext.listOptions,
      examples: [
        CommandDefinition.Example(
          "shardctl apply --quiet", "from a timer: one line when all went well, errors otherwise")
      ],
      exits: [
        CommandDefinition.Exit(
          .dataError, "the rows do not fit the plan, or a source is wrong or beyond its guard"),
        CommandDefinition.Exit(.noInput), CommandDefinition.Exit(.unavailable), CommandDefinition.Exit(.cannotCreate),
        CommandDefinition.Exit(.ioError), CommandDefinition.Exit(.temporaryFailure),
        CommandDefinition.Exit(.configuration),
      ])
  ) { arguments, console in
    let context = try PlanContext(
      arguments, timeout: arguments[PlanContext.timeoutOption], layout: arguments[PlanContext.layoutOption])
    let session = try context.installer.begin("shardctl apply", mayCreate: true)
    let acceptsChange = arguments[PlanContext.acceptChangeOption]
    let (candidate, report) = try context.publisher(arguments, console, acceptsChange: acceptsChange).stage()
    console.progress.update("loading providers", 0)
    let application = try session.apply(candidate, keepGoing: arguments[keepGoing])
    if arguments[StandardOptions.json] {
      var json = JSONWriter()
      report.write(to: &json) { LoadReport.write(application, to: &$0) }
      try console.print(json)
    } else if arguments[StandardOptions.quiet] {
      if let line = summary(application, report) { try console.print(line) }
    } else {
      for line in ReportText.lines(report, bytesAreEstimates: false) { try console.print(line) }
      for line in ReportText.lines(application.loads) where application.isSwitched { try console.print(line) }
      for id in application.removed { try console.print("\(id): no longer in the plan; removed with its data") }
      if application.isSwitched { try console.print("release \(application.release) is in force") }
    }
    for warning in ReportText.warnings(report) { console.note(warning) }
    for breach in report.breaches { console.note(ReportText.accepted(breach)) }
    // After a refusal the settings are those from before.
    let settings =
      application.loads.allSatisfy(\.isAccepted) || application.isSwitched ? session.contents.providers : []
    for provider in settings where !provider.isOn && context.plan.provider(provider.id)?.isPlanned == true {
      console.note(
        "\(provider.id) is off: what the plan gives it is not on the phone; `shardctl enable \(provider.id)`")
    }
    return LoadReport.finish(application, console)
  }
  /// What `--quiet` prints; nothing when the errors tell why nothing was switched.
  private static func summary(_ application: InstallationSession.Application, _ report: PlanReport) -> String? {
    guard application.isSwitched || application.loads.allSatisfy(\.isAccepted) else { return nil }
    let loaded = application.loads.count { $0.isAccepted }
    let warnings = application.loads.reduce(0) { $0 + $1.warnings.count }
    return ReportText.summary(
      "release \(application.release) is in force" + (application.isSwitched ? "" : ", unchanged"), report,
      ["\(ReportText.plural(loaded, "provider")) loaded"]
        + (warnings > 0 ? [ReportText.plural(warnings, "warning")] : []))
  }
}
