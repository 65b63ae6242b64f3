internal import CommandLineKit
internal import DirectoryInstalling
internal import DirectoryPublishing
internal import PlanFile
internal import PositionedJSON

/// `shardctl build`: a release without a phone.
enum BuildCommand {
  static let command = Command(
    CommandDefinition(
      "build", "publish a release without loading it into providers", section: "Publishing",
      options: [PlanContext.acceptChangeOption, PlanContext.memoryOption] + PlanContext.baseOptions
        + PlanContext.listOptions,
      exits: [
        CommandDefinition.Exit(
          .dataError, "the rows do not fit the plan, or a source is wrong or beyond its guard"),
        CommandDefinition.Exit(.noInput), CommandDefinition.Exit(.cannotCreate), CommandDefinition.Exit(.ioError),
        CommandDefinition.Exit(.temporaryFailure), CommandDefinition.Exit(.configuration),
      ])
  ) { arguments, console in
    let context = try PlanContext(arguments)
    let releases = context.installer.releases
    let lock = try context.installer.lockReleases("shardctl build")
    let inUse = try context.installer.filesInUse()
    let acceptsChange = arguments[PlanContext.acceptChangeOption]
    let (candidate, report) = try context.publisher(arguments, console, acceptsChange: acceptsChange).stage()
    if !candidate.isUnchanged {
      try candidate.record()
      try candidate.makeCurrent()
    }
    // What phones have installed stays, also when its release is no longer among the kept ones.
    try releases.clean(keeping: context.plan.keepReleases, files: inUse)
    let release = candidate.isUnchanged ? candidate.current?.release ?? 0 : candidate.manifest.release
    let outcome =
      candidate.isUnchanged ? "release \(release) is current and has the same content" : "release \(release) published"
    if arguments[StandardOptions.json] {
      var json = JSONWriter()
      report.write(to: &json) { $0.member("release", release) }
      try console.print(json)
    } else if arguments[StandardOptions.quiet] {
      try console.print(ReportText.summary(outcome, report))
    } else {
      for line in ReportText.lines(report, bytesAreEstimates: false) { try console.print(line) }
      try console.print(outcome)
    }
    for warning in ReportText.warnings(report) { console.note(warning) }
    for breach in report.breaches { console.note(ReportText.accepted(breach)) }
    withExtendedLifetime(lock) {}
    return .success
  }
}
