public import CommandLineKit

/// The tool: its commands in the order of its help.
public enum Shardctl {
  /// The version that `--version` prints.
  public static let version = "0.1.0"

  /// Every command, with its help.
  public static var tree: CommandTree {
    CommandTree(
      tool: "shardctl", version: version,
      summary: "plan, load and look up call directories larger than one iOS extension",
      examples: [
        CommandDefinition.Example("shardctl plan", "who gets what, within which limits; writes nothing"),
        CommandDefinition.Example("shardctl apply", "publish a release and load it into every affected provider"),
        CommandDefinition.Example("shardctl lookup +74951234567", "what a phone shows for this caller, and why"),
      ],
      globalOptions: [
        PlanContext.planOption, StandardOptions.json, StandardOptions.quiet, StandardOptions.noColor,
      ],
      commands: [
        InitCommand.command, PlanCommand.command, BuildCommand.command, ApplyCommand.command, RollbackCommand.command,
        ReloadCommand.command, EnableCommand.command, DisableCommand.command, OrderCommand.command,
        RestoreCommand.command, ForgetCommand.command, StatusCommand.command, LookupCommand.command,
        ExplainCommand.command,
        ProviderCommand.command,
        InspectCommand.command, VerifyCommand.command, ExportCommand.command, NumberCommand.command,
        SampleCommand.command, SchemaCommand.command,
      ])
  }

  /// Runs a command line and returns its exit status.
  ///
  /// - Parameter words: The words after the tool's name.
  public static func run(_ words: [String]) -> Int32 {
    tree.run(words, console: .standard(tool: "shardctl"), diagnose: Diagnosis.of).rawValue
  }
}
