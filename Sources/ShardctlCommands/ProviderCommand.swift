internal import CallDirectory
internal import CommandLineKit
internal import DirectoryInstalling
internal import DirectoryPublishing
internal import DirectoryStore
internal import PlanFile
internal import PositionedJSON
internal import ProviderHost
internal import SystemSupport

/// `shardctl provider`: the libraries behind the providers.
enum ProviderCommand {
  static let command = Command(
    group: CommandDefinition("provider", "list provider libraries, forgive one that crashed", section: "Providers"),
    [list, forgive])

  static let list = Command(
    CommandDefinition(
      "list", "list providers with their libraries, running none of them",
      discussion: "Providers of the plan, then those that were dropped in and libraries in the plugins folder.",
      options: [PlanContext.layoutOption],
      exits: [CommandDefinition.Exit(.configuration)])
  ) { arguments, console in
    let context = try PlanContext(arguments, layout: arguments[PlanContext.layoutOption])
    let rows = try rows(context)
    if arguments[StandardOptions.json] {
      try console.print(json(rows))
      return .success
    }
    var table = TextTable([
      ("provider", .left), ("state", .left), ("library", .left), ("container", .left), ("", .left),
    ])
    for row in rows {
      table.add([row.id, row.state, row.library, row.container, row.problem ?? ""])
    }
    for line in table.lines { try console.print(line) }
    return .success
  }

  static let forgive = Command(
    CommandDefinition(
      "forgive", "let a library that took its process down be run again", arguments: [ProviderArguments.one],
      options: [PlanContext.layoutOption],
      exits: [CommandDefinition.Exit(.temporaryFailure), CommandDefinition.Exit(.configuration)])
  ) { arguments, console in
    let session = try PlanContext(arguments, layout: arguments[PlanContext.layoutOption]).installer.begin(
      "shardctl provider forgive")
    try session.forgive(arguments[ProviderArguments.one])
    return try ProviderArguments.finish([], schema: "shardctl.provider-forgive/1", arguments, console)
  }

  /// One line of the list.
  private struct Row {
    var id: String
    var title: String
    var state: String
    var library: String
    var container: String
    var problem: String?
  }

  private static func rows(_ context: PlanContext) throws -> [Row] {
    let installer = context.installer
    let contents = try installer.store.readIfPresent()
    var rows: [Row] = []
    var used: Set<String> = []
    for provider in installer.providers(in: try installer.currentShare()) {
      let path = try installer.libraryPath(provider.library)
      if let path { used.insert(path) }
      let state = contents?.provider(provider.id)?.storedState.rawValue ?? "not applied"
      rows.append(
        Row(
          id: provider.id.rawValue, title: provider.title, state: state, library: path ?? provider.library,
          container: installer.containerPath(provider.container), problem: problem(path)))
    }
    for library in try ProviderLibrary.discover(in: context.plan.paths.plugins) {
      let isProvider = library.providerID.flatMap { contents?.provider($0) }.map { !$0.isPlanned } ?? false
      if used.contains(library.path), !isProvider { continue }
      // The standard library in the folder serves the plan's providers; by itself it is none.
      if Path.name(of: library.path) == PlanProvider.standardLibrary { continue }
      let id = library.providerID
      let state = id.flatMap { contents?.provider($0)?.storedState.rawValue } ?? ProviderState.offEmpty.rawValue
      rows.append(
        Row(
          id: library.stem, title: library.stem, state: state, library: library.path,
          container: id.map { installer.containerPath(installer.containerName(of: $0)) } ?? "",
          problem: id == nil ? "the file's stem is no provider id (\(ProviderID.expectation))" : problem(library.path)))
    }
    // A provider whose library has been taken out of the folder is still one.
    for provider in contents?.providers ?? [] where !provider.isPlanned {
      if rows.contains(where: { $0.id == provider.id.rawValue }) { continue }
      rows.append(
        Row(
          id: provider.id.rawValue, title: provider.title, state: ProviderState.unavailable.rawValue,
          library: provider.library ?? "", container: installer.containerPath(installer.containerName(of: provider.id)),
          problem: problem(nil)))
    }
    return rows
  }

  private static func problem(_ path: String?) -> String? {
    guard let path else { return "the library is missing" }
    return ProviderLibrary(path).problem.map { "the file \($0.explanation)" }
  }

  private static func json(_ rows: [Row]) -> JSONWriter {
    var json = JSONWriter()
    json.beginObject()
    json.member("schema", "shardctl.provider-list/1")
    json.key("providers")
    json.beginArray()
    for row in rows {
      json.beginObject()
      json.member("id", row.id)
      json.member("title", row.title)
      json.member("state", row.state)
      json.member("library", row.library)
      json.member("container", row.container)
      json.member("problem", row.problem)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    return json
  }
}
