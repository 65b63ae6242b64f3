/// What parser, help text, manual and completions know of an option. Made by the factories of ``Option``.
public struct OptionDefinition: Sendable {
  /// The long name without dashes.
  public let name: String
  /// The one-letter name, if any.
  public let short: Character?
  /// The value it takes; nil for a flag.
  public let value: ValueSyntax?
  /// What it does, as a clause without a full stop.
  public let summary: String
  /// Whether it may be given more than once.
  public let isRepeatable: Bool
  /// The value in force when it is not given, for help texts.
  public let defaultText: String?
  /// Whether the command cannot do without it; the usage line then shows it.
  public let isRequired: Bool
  /// The heading it stands under in help texts.
  public let section: String

  /// Reads all values given, in order (for a flag one empty word per occurrence), and boxes the result.
  let read: @Sendable ([String]) throws(ValueProblem) -> any Sendable

  /// `--name`.
  public var spelling: String { "--\(name)" }
}

/// An option with its value's type erased, so that options of different types make one list.
public protocol DefinesOption: Sendable {
  /// What parser and help text know of the option.
  var definition: OptionDefinition { get }
}

/// A value of a known type behind `any Sendable`; a class, because casting an erased optional is ambiguous.
final class ValueBox<Value: Sendable>: Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
