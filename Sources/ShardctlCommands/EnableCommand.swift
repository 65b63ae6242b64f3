internal import CommandLineKit
internal import DirectoryInstalling
internal import DirectoryStore

/// `shardctl enable`: a provider's switch in the settings, on.
enum EnableCommand {
  static let command = Command(
    CommandDefinition(
      "enable", "switch providers on, loading those without data", section: "Phone",
      discussion: """
        A provider that has data from before is switched on without being launched, as on a phone; `reload` brings it up to \
        date. A library dropped into the plugins folder is known by its file stem: libSpamList.so is SpamList.
        """,
      arguments: [ProviderArguments.some], options: [PlanContext.layoutOption, PlanContext.timeoutOption],
      exits: [
        CommandDefinition.Exit(.unavailable), CommandDefinition.Exit(.temporaryFailure),
        CommandDefinition.Exit(.configuration),
      ])
  ) { arguments, console in
    let context = try PlanContext(
      arguments, timeout: arguments[PlanContext.timeoutOption], layout: arguments[PlanContext.layoutOption])
    let session = try context.installer.begin("shardctl enable")
    let ids = session.expanded(try ProviderArguments.ids(arguments[ProviderArguments.some]))
    let loads = try session.enable(ids)
    for id in ids where !loads.contains(where: { $0.id == id }) {
      let library = session.contents.provider(id)?.library
      let isGone = try library.map { try context.installer.libraryPath($0) == nil } ?? false
      console.note(
        isGone
          ? "\(id): on, but its library is gone: it takes no part until that is back"
          : "\(id): on, with the data it has; not launched")
    }
    return try ProviderArguments.finish(loads, schema: "shardctl.enable/1", arguments, console)
  }
}
