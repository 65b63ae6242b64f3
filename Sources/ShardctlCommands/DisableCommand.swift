internal import CommandLineKit
internal import DirectoryInstalling

/// `shardctl disable`: a provider's switch in the settings, off.
enum DisableCommand {
  static let command = Command(
    CommandDefinition(
      "disable", "switch providers off; their data is hidden and kept", section: "Phone",
      arguments: [ProviderArguments.some], options: [PlanContext.layoutOption],
      exits: [CommandDefinition.Exit(.temporaryFailure), CommandDefinition.Exit(.configuration)])
  ) { arguments, console in
    let session = try PlanContext(arguments, layout: arguments[PlanContext.layoutOption]).installer.begin(
      "shardctl disable")
    let ids = try ProviderArguments.ids(arguments[ProviderArguments.some])
    try session.disable(ids)
    return try ProviderArguments.finish([], schema: "shardctl.disable/1", arguments, console)
  }
}
