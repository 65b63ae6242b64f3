internal import CallDirectory
internal import CommandLineKit
internal import DirectoryInstalling
internal import DirectoryStore

/// `shardctl restore`: what a provider had before its last load.
enum RestoreCommand {
  static let command = Command(
    CommandDefinition(
      "restore", "bring back what a provider had before its last load", section: "Phone",
      arguments: [ProviderArguments.one], options: [PlanContext.layoutOption],
      exits: [
        CommandDefinition.Exit(.unavailable, "there is nothing to bring back"),
        CommandDefinition.Exit(.temporaryFailure), CommandDefinition.Exit(.configuration),
      ])
  ) { arguments, console in
    let session = try PlanContext(arguments, layout: arguments[PlanContext.layoutOption]).installer.begin(
      "shardctl restore")
    let ids = session.expanded([arguments[ProviderArguments.one]])
    try session.restore(arguments[ProviderArguments.one])
    for id in ids {
      let counts = session.contents.provider(id)?.active?.receipt.counts.total ?? 0
      console.note("\(id): \(ReportText.plural(counts, "entry is", "entries are")) back")
    }
    return try ProviderArguments.finish([], schema: "shardctl.restore/1", arguments, console)
  }
}
