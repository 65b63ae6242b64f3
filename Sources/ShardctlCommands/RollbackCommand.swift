internal import CommandLineKit
internal import DirectoryInstalling
internal import DirectoryPublishing
internal import PositionedJSON

/// `shardctl rollback`: an earlier release's content under a new number.
enum RollbackCommand {
  static let release = Argument<Int?>.integer(
    "RELEASE", in: 1...Int.max, "the release to go back to (default: the one before the content in force)")

  static let command = Command(
    CommandDefinition(
      "rollback", "publish an earlier release's content anew and load it", section: "Publishing",
      arguments: [release], options: [ApplyCommand.keepGoing, PlanContext.layoutOption, PlanContext.timeoutOption],
      exits: [
        CommandDefinition.Exit(.dataError, "a file of that release is damaged"),
        CommandDefinition.Exit(.noInput, "that release is not kept"), CommandDefinition.Exit(.unavailable),
        CommandDefinition.Exit(.temporaryFailure), CommandDefinition.Exit(.configuration),
      ])
  ) { arguments, console in
    let context = try PlanContext(
      arguments, timeout: arguments[PlanContext.timeoutOption], layout: arguments[PlanContext.layoutOption])
    let session = try context.installer.begin("shardctl rollback")
    let candidate = try context.installer.releases.candidate(rollingBackTo: arguments[release])
    let application = try session.apply(candidate, keepGoing: arguments[ApplyCommand.keepGoing])
    if arguments[StandardOptions.json] {
      var json = JSONWriter()
      json.beginObject()
      json.member("schema", "shardctl.rollback/1")
      LoadReport.write(application, to: &json)
      json.member("restores", candidate.manifest.restores)
      json.endObject()
      try console.print(json)
    } else {
      for line in ReportText.lines(application.loads) where application.isSwitched { try console.print(line) }
      let isSame = candidate.isUnchanged && !application.isSwitched && application.loads.allSatisfy(\.isAccepted)
      if application.isSwitched || isSame {
        let content = candidate.manifest.restores.map { "the content of release \($0)" } ?? "this content"
        try console.print(
          "release \(application.release) is in force"
            + (!isSame
              ? ", with \(content)"
              : candidate.manifest.restores == application.release
                ? " and has this content already" : " and has \(content) already"))
      }
    }
    return LoadReport.finish(application, console)
  }
}
