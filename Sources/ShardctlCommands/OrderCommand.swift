internal import CallDirectory
internal import CommandLineKit
internal import DirectoryInstalling
internal import DirectoryStore
internal import PositionedJSON

/// `shardctl order`: the settings order.
enum OrderCommand {
  static let reset = Option.flag("reset", "let the plan's order stand again")

  static let command = Command(
    CommandDefinition(
      "order", "show or change the settings order", section: "Phone",
      discussion: """
        The providers named come first, in this order; the others follow as they were. The order decides whose label is \
        shown, never whether a number is blocked.
        """,
      arguments: [ProviderArguments.any], options: [reset, PlanContext.layoutOption],
      exits: [CommandDefinition.Exit(.temporaryFailure), CommandDefinition.Exit(.configuration)])
  ) { arguments, console in
    let context = try PlanContext(arguments, layout: arguments[PlanContext.layoutOption])
    let ids = try ProviderArguments.ids(arguments[ProviderArguments.any])
    if arguments[reset], !ids.isEmpty {
      throw Diagnostic("--reset", "takes no providers", hint: "either name an order or reset it", status: .usage)
    }
    if arguments[reset] || !ids.isEmpty {
      let session = try context.installer.begin("shardctl order")
      if arguments[reset] { try session.resetOrder() } else { try session.order(ids) }
    }
    let order = try context.installer.store.read().order.ids.map(\.rawValue)
    if arguments[StandardOptions.json] {
      var json = JSONWriter()
      json.beginObject()
      json.member("schema", "shardctl.order/1")
      json.member("order", order)
      json.endObject()
      try console.print(json)
    } else {
      for (position, id) in order.enumerated() { try console.print("\(position + 1)  \(id)") }
    }
    return .success
  }
}
