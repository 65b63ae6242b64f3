internal import CommandLineKit
internal import DirectoryInstalling

/// `shardctl forget`: a provider taken off the phone.
enum ForgetCommand {
  static let command = Command(
    CommandDefinition(
      "forget", "remove a provider with all it has stored", section: "Phone",
      discussion:
        "One that the plan names comes back with the next `apply`; a library in the plugins folder with `enable`.",
      arguments: [ProviderArguments.one], options: [PlanContext.layoutOption],
      exits: [CommandDefinition.Exit(.temporaryFailure), CommandDefinition.Exit(.configuration)])
  ) { arguments, console in
    let session = try PlanContext(arguments, layout: arguments[PlanContext.layoutOption]).installer.begin(
      "shardctl forget")
    try session.forget(arguments[ProviderArguments.one])
    return try ProviderArguments.finish([], schema: "shardctl.forget/1", arguments, console)
  }
}
