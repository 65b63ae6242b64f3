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
      arguments: [ProviderArguments.any], options: [PlanContext.layoutOption, PlanContext.timeoutOption],
      exits: [
        CommandDefinition.Exit(.unavailable), CommandDefinition.Exit(.temporaryFailure),
        CommandDefinition.Exit(.configuration),
      ])
  ) { arguments, console in
    let context = try PlanContext(
      arguments, timeout: arguments[PlanContext.timeoutOption], layout: arguments[PlanContext.layoutOption])
    let named = try ProviderArguments.ids(arguments[ProviderArguments.any])
    let loads = try reportingAsPhone(named) {
      let session = try context.installer.begin("shardctl reload")
      let ids = named.isEmpty ? session.contents.providersInOrder.filter(\.isOn).map(\.id) : named
      return try session.reload(ids)
    }
    return try ProviderArguments.finish(loads, schema: "shardctl.reload/1", arguments, console)
  }

  /// Adds to an error what an app would be told that asked a phone for this reload (R-LIFE-4).
  private static func reportingAsPhone(
    _ named: [ProviderID], _ body: () throws -> [ProviderLoad]
  ) throws -> [ProviderLoad] {
    do {
      return try body()
    } catch var error as StoreError {
      // A lock held by a load is explained for every command alike.
      let told = named.first.map { error.phoneError(for: $0) }
      if let told, told.code != PhoneError.ManagerCode.unknown.rawValue, error.kind != .locked {
        error.what += "; a phone reports \(told)"
      }
      throw error
    }
  }
}
