internal import CallDirectory
internal import CommandLineKit
internal import DirectoryInstalling
internal import DirectoryStore

/// `shardctl reload`: the phone's own reload.
enum ReloadCommand {
  static let command = Command(
    CommandDefinition(
      "reload", "load providers again, as the phone does when an app asks", section: "Phone",
      discussion: """
        Without operands every provider that is on. A provider whose load fails is on and empty afterwards, as on a phone; \
        the others are untouched, and `restore` brings back what it had.
        """,
      arguments: [ProviderArguments.any], options: [PlanContext.timeoutOption],
      exits: [
        CommandDefinition.Exit(.unavailable), CommandDefinition.Exit(.temporaryFailure),
        CommandDefinition.Exit(.configuration),
      ])
  ) { arguments, console in
    let context = try PlanContext(arguments, timeout: arguments[PlanContext.timeoutOption])
    let session = try context.installer.begin("shardctl reload")
    let named = try ProviderArguments.ids(arguments[ProviderArguments.any])
    let ids = named.isEmpty ? session.contents.providersInOrder.filter(\.isOn).map(\.id) : named
    return try ProviderArguments.finish(
      try session.reload(ids), schema: "shardctl.reload/1", arguments, console)
  }
}
