/// The values of one command line, every one checked: indexing cannot fail for what the command declares.
public struct ParsedArguments: Sendable {
  /// The words that chose the command, for example `["provider", "list"]`.
  public let path: [String]
  /// Values by the option's spelling or the operand's name.
  let values: [String: any Sendable]
  let given: Set<String>

  /// The value of an option.
  ///
  /// Requires: the command, or the tree for all commands, declares `option`.
  public subscript<Value>(option: Option<Value>) -> Value { value(option.definition.spelling) }

  /// The value of an operand.
  ///
  /// Requires: the command declares `argument`.
  public subscript<Value>(argument: Argument<Value>) -> Value { value(argument.argumentDefinition.name) }

  /// Whether an option was typed, also when its value is the default's.
  public func has<Value>(_ option: Option<Value>) -> Bool { given.contains(option.definition.spelling) }

  private func value<Value: Sendable>(_ key: String) -> Value {
    guard let box = values[key] as? ValueBox<Value> else {
      preconditionFailure("\(path.joined(separator: " ")) does not declare \(key) as \(Value.self)")
    }
    return box.value
  }
}
