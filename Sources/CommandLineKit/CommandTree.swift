/// All commands of a tool: finds the one a command line means, reads its arguments and runs it.
public struct CommandTree: Sendable {
  /// The tool's name, first word of every usage line.
  public let tool: String
  /// Printed by `--version`.
  public let version: String
  /// What the tool is, in a clause without a full stop.
  public let summary: String
  /// Lines to copy, for the tool's own help.
  public let examples: [CommandDefinition.Example]
  /// Options that every command takes, before and after its name.
  public let globalOptions: [OptionDefinition]
  /// The commands in the order of the help text.
  public let commands: [Command]

  /// A tree of `commands`.
  public init(
    tool: String, version: String, summary: String, examples: [CommandDefinition.Example] = [],
    globalOptions: [any DefinesOption] = [], commands: [Command]
  ) {
    self.tool = tool
    self.version = version
    self.summary = summary
    self.examples = examples
    self.globalOptions = globalOptions.map(\.definition)
    self.commands = commands
  }

  /// What a command line asks for.
  public enum Request: Sendable {
    /// Run a command.
    case run(Command, ParsedArguments)
    /// Print the help of the tool (an empty path) or of a command, asked for with `--help` or `help`.
    case help(path: [String])
    /// A group, or the tool, without the word that says what to do.
    case nothing(path: [String])
    /// Print the version.
    case version
  }

  /// Understands the words after the tool's name; runs nothing, prints nothing.
  public func parse(_ words: [String]) throws(UsageError) -> Request {
    var parser = ArgumentParser(tree: self, words: words)
    return try parser.parse()
  }

  /// Does what a command line asks for.
  ///
  /// A broken pipe on the output ends the command quietly with status 0. Errors are written to the console's error
  /// stream and become exit statuses.
  ///
  /// - Parameters:
  ///   - words: the words after the tool's name.
  ///   - diagnose: turns an error of the command into what is printed; asked for errors this module does not know.
  public func run(
    _ words: [String], console: Console, diagnose: (any Error) -> Diagnostic
  ) -> ExitStatus {
    var console = console
    console.writesJSON = words.prefix { $0 != "--" }.contains(StandardOptions.json.definition.spelling)
    do {
      switch try parse(words) {
      case .run(let command, let arguments):
        prepare(&console, for: arguments)
        guard case .action(let action) = command.body else { return .software }
        let status = try action(arguments, console)
        console.progress.clear()
        return status
      case .help(let path):
        try console.print(help(for: path, columns: console.output.columns), terminator: "")
        return .success
      case .nothing(let path):
        console.note(briefHelp(for: path, columns: console.error.columns))
        return .usage
      case .version:
        try console.print("\(tool) \(version)")
        return .success
      }
    } catch {
      return report(error, to: console, diagnose: diagnose)
    }
  }

  private func prepare(_ console: inout Console, for arguments: ParsedArguments) {
    let given = arguments.given
    console.writesJSON = given.contains(StandardOptions.json.definition.spelling)
    console.showsNotes = !given.contains(StandardOptions.quiet.definition.spelling)
    if console.writesJSON || !console.showsNotes { console.progress.disable() }
    if given.contains(StandardOptions.noColor.definition.spelling) {
      console.output.usesColor = false
      console.error.usesColor = false
    }
  }

  private func report(
    _ error: any Error, to console: Console, diagnose: (any Error) -> Diagnostic
  ) -> ExitStatus {
    let diagnostic: Diagnostic
    switch error {
    case let error as UsageError: diagnostic = error.diagnostic
    case let error as Diagnostic: diagnostic = error
    case let error as ConsoleError:
      if error.isBrokenPipe { return .success }
      diagnostic = error.diagnostic
    default: diagnostic = diagnose(error)
    }
    console.report(diagnostic)
    return diagnostic.status
  }

  /// The command at `path`; nil for the tool itself or a path that leads nowhere.
  func command(at path: [String]) -> Command? {
    var commands = commands
    var found: Command?
    for name in path {
      guard let next = commands.first(where: { $0.definition.name == name }) else { return nil }
      found = next
      commands = next.subcommands
    }
    return found
  }
}
