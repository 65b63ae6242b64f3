/// A command that can be run, or a group of commands under one noun.
public struct Command: Sendable {
  /// What a command does: reads its parsed arguments, writes to the console, returns the exit status.
  public typealias Action = @Sendable (ParsedArguments, Console) throws -> ExitStatus

  enum Body: Sendable {
    case action(Action)
    case group([Command])
  }

  /// Its name, help and syntax.
  public let definition: CommandDefinition
  let body: Body

  /// A command that runs `action`.
  public init(_ definition: CommandDefinition, action: @escaping Action) {
    self.definition = definition
    body = .action(action)
  }

  /// A noun with verbs, for example `provider list` and `provider check`.
  public init(group definition: CommandDefinition, _ commands: [Command]) {
    self.definition = definition
    body = .group(commands)
  }

  /// The commands of a group; empty for a command that runs.
  public var subcommands: [Command] {
    if case .group(let commands) = body { commands } else { [] }
  }

  var isGroup: Bool { if case .group = body { true } else { false } }
}
