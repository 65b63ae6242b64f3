/// Everything a help text, a manual page or a completion script says of one command.
public struct CommandDefinition: Sendable {
  /// A command line to copy, and what it shows.
  public struct Example: Hashable, Sendable {
    /// The whole line as typed, for example `shardctl lookup +74951234567`.
    public let line: String
    /// What it does, as a clause without a full stop.
    public let purpose: String

    /// An example of `line`.
    public init(_ line: String, _ purpose: String) {
      self.line = line
      self.purpose = purpose
    }
  }

  /// An exit status and what it means for this command.
  public struct Exit: Hashable, Sendable {
    /// The status.
    public let status: ExitStatus
    /// When it is given; the status's general meaning when not stated.
    public let meaning: String

    /// `status`, given when `meaning`.
    public init(_ status: ExitStatus, _ meaning: String? = nil) {
      self.status = status
      self.meaning = meaning ?? status.meaning ?? "status \(status.rawValue)"
    }
  }

  /// The word typed.
  public let name: String
  /// What it does, at most 60 characters, without a full stop.
  public let summary: String
  /// More, in paragraphs separated by empty lines; a paragraph that begins with a blank is printed as it is.
  public let discussion: String
  /// The heading it stands under in the list of commands.
  public let section: String
  /// Operands in order.
  public let arguments: [ArgumentDefinition]
  /// Options of this command alone.
  public let options: [OptionDefinition]
  /// Lines to copy.
  public let examples: [Example]
  /// Exit statuses beyond 0 and 64, which every command has.
  public let exits: [Exit]

  /// A command called `name`.
  public init(
    _ name: String, _ summary: String, section: String = "Commands", discussion: String = "",
    arguments: [any DefinesArgument] = [], options: [any DefinesOption] = [], examples: [Example] = [],
    exits: [Exit] = []
  ) {
    self.name = name
    self.summary = summary
    self.section = section
    self.discussion = discussion
    self.arguments = arguments.map(\.argumentDefinition)
    self.options = options.map(\.definition)
    self.examples = examples
    self.exits = exits
  }
}
