internal import CallDirectory
internal import CallLookup
internal import CommandLineKit
internal import DirectoryInstalling
internal import DirectoryStore
internal import PhoneNumbering
internal import PositionedJSON
internal import SystemSupport

/// `shardctl lookup`: what a phone shows for a caller, and why.
enum LookupCommand {
  static let number = Argument<String?>.optional(.text("NUMBER"), "the caller's number as the network presents it")
  static let country = Option<RegionCode?>.value(
    "country", .text("CC"), "the country of the phone line (default: the plan's)", read: NumberCommand.readCountry)
  static let batch = Option<String?>.text(
    "batch", .file("FILE|-"),
    "read number[TAB]country lines, write query TAB number TAB decision TAB blockedBy TAB label TAB labelFrom")
  static let order = Option<String?>.text(
    "order", .text("ID,ID…"), "as if the settings listed these first, in this order")
  static let without = Option<[String]>.texts("without", .text("ID"), "as if this provider were off")
  static let exitStatus = Option.flag("exit-status", "exit with 1 when nobody knows the number")

  static let command = Command(
    CommandDefinition(
      "lookup", "show what a phone does with a caller, and why", section: "Phone",
      discussion: """
        --batch writes one line for each line it reads, in the same order. A line that is no number, and an empty one, has an \
        empty number and the decision "unknown"; neither changes the exit code, which is 0 when all lines were read.
        """,
      arguments: [number],
      options: [country, batch, order, without, exitStatus, PlanContext.layoutOption],
      examples: [
        CommandDefinition.Example("shardctl lookup +74951234567", "the decision with the trace of every provider"),
        CommandDefinition.Example("shardctl lookup 84951234567 --order russia", "what if russia stood first"),
      ],
      exits: [
        CommandDefinition.Exit(.negativeAnswer, "with --exit-status: nobody knows the number"),
        CommandDefinition.Exit(.dataError, "the text is no number"),
        CommandDefinition.Exit(.noInput, "nothing has been applied yet"), CommandDefinition.Exit(.configuration),
      ])
  ) { arguments, console in
    let context = try PlanContext(arguments, layout: arguments[PlanContext.layoutOption])
    let opened = try context.installer.store.open(includingOff: arguments[batch] == nil)
    let resolver = try resolver(opened, arguments, context.installer)
    let region = arguments[country] ?? opened.contents.plan.country.flatMap { RegionCode($0) }
    if let writer = opened.writer {
      console.note("a run is going on: \(writer); the answer is from the state before it")
    }
    for provider in opened.providers where provider.stored.isOn {
      if let problem = provider.problem {
        console.note("\(provider.stored.id) is unavailable and takes no part: \(problem)")
      }
    }
    if let file = arguments[batch] {
      guard arguments[number] == nil else {
        throw Diagnostic("--batch", "takes no number on the command line", status: .usage)
      }
      try LineBatch.refuse(StandardOptions.json, arguments)
      try LineBatch.refuse(exitStatus, arguments)
      try StandardOutput.whileRead { try LookupBatch(resolver, region: region).run(file) }
      return .success
    }
    guard let query = arguments[number] else {
      throw Diagnostic("NUMBER", "is missing", hint: "give a number, or --batch FILE", status: .usage)
    }
    let answer = try LookupAnswer(query, region: region, opened.contents.plan.title, resolver)
    if arguments[StandardOptions.json] {
      var json = JSONWriter()
      answer.write(to: &json)
      try console.print(json)
    } else {
      for line in answer.lines { try console.print(line) }
    }
    return arguments[exitStatus] && answer.decision.kind == .unknown ? .negativeAnswer : .success
  }

  /// The phone as it is.
  static func resolver(_ opened: OpenedStore) -> CallResolver {
    let plan = opened.contents.plan
    return CallResolver(
      providers: opened.providers.map {
        InstalledProvider(id: $0.stored.id, title: $0.stored.title, state: $0.state, directory: $0.directory)
      },
      contacts: opened.contacts,
      contactRule: ContactRule(
        profile: PhoneProfile(plan.profile), contactsOverrideBlocks: plan.contactsOverrideBlocks))
  }

  /// The phone as it is, or as `--order` and `--without` ask what if.
  private static func resolver(
    _ opened: OpenedStore, _ arguments: ParsedArguments, _ installer: DirectoryInstaller
  ) throws -> CallResolver {
    let resolver = resolver(opened)
    let known = resolver.providers.map(\.id)
    /// The providers that an option names, copies in place of one that has such, each once.
    func expand(_ option: String, _ words: [String]) throws -> [ProviderID] {
      var ids: [ProviderID] = []
      for id in try ProviderArguments.ids(words) {
        guard let found = installer.providers(named: id, among: known) else {
          throw Diagnostic(
            option, "names a provider that is not there: \(id)", hint: "providers: \(installer.list(known))",
            status: .usage)
        }
        if option == "--order", let twice = found.first(where: ids.contains) {
          throw Diagnostic(option, "names a provider twice: \(twice)", hint: "name each once", status: .usage)
        }
        ids += found
      }
      return ids
    }
    let words = arguments[order]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    let first = try expand("--order", words)
    return resolver.reordered(first: first)?.without(try expand("--without", arguments[without])) ?? resolver
  }
}
