/// What parser, help text, manual and completions know of an operand. Made by the factories of ``Argument``.
public struct ArgumentDefinition: Sendable {
  /// How a value is written; its placeholder names the operand.
  public let value: ValueSyntax
  /// What it is, as a clause without a full stop.
  public let summary: String
  /// The least number of words it takes.
  public let minimum: Int
  /// The most words it takes; nil for any number.
  public let maximum: Int?

  let read: @Sendable ([String]) throws(ValueProblem) -> any Sendable

  /// The name in help texts and messages.
  public var name: String { value.placeholder }

  /// As the usage line writes it: `FILE`, `[FILE]`, `FILE…` or `[FILE…]`.
  public var usage: String {
    let name = maximum == 1 ? name : "\(name)…"
    return minimum == 0 ? "[\(name)]" : name
  }
}

/// An operand with its value's type erased, so that operands of different types make one list.
public protocol DefinesArgument: Sendable {
  /// What parser and help text know of the operand.
  var argumentDefinition: ArgumentDefinition { get }
}

/// An operand whose parsed value has the type `Value`; ``ParsedArguments`` is indexed by it.
public struct Argument<Value: Sendable>: DefinesArgument {
  /// What parser and help text know of it.
  public let argumentDefinition: ArgumentDefinition

  init(
    _ value: ValueSyntax, _ summary: String, _ minimum: Int, _ maximum: Int?,
    read: @escaping @Sendable ([String]) throws(ValueProblem) -> Value
  ) {
    argumentDefinition = ArgumentDefinition(
      value: value, summary: summary, minimum: minimum, maximum: maximum,
      read: { (words) throws(ValueProblem) in ValueBox(try read(words)) })
  }

  /// Exactly one word, read by `read`.
  public static func one(
    _ value: ValueSyntax, _ summary: String, read: @escaping ValueReader<Value>
  ) -> Argument {
    Argument(value, summary, 1, 1) { (words) throws(ValueProblem) in try read(words.first ?? "") }
  }

  /// One word or none, read by `read`.
  public static func optional<Wrapped: Sendable>(
    _ value: ValueSyntax, _ summary: String, read: @escaping ValueReader<Wrapped>
  ) -> Argument<Wrapped?> where Value == Wrapped? {
    Argument(value, summary, 0, 1) { (words) throws(ValueProblem) in
      guard let word = words.first else { return nil }
      return try read(word)
    }
  }
}

extension Argument where Value == String {
  /// Exactly one word.
  public static func one(_ value: ValueSyntax, _ summary: String) -> Argument { one(value, summary) { $0 } }
}

extension Argument where Value == String? {
  /// One word or none.
  public static func optional(_ value: ValueSyntax, _ summary: String) -> Argument {
    optional(value, summary) { $0 }
  }
}

extension Argument where Value == [String] {
  /// `minimum` words or more.
  public static func list(_ value: ValueSyntax, atLeast minimum: Int, _ summary: String) -> Argument {
    Argument(value, summary, minimum, nil) { $0 }
  }
}

extension Argument {
  /// One integer in `range`, or none.
  public static func integer<I: FixedWidthInteger & Sendable>(
    _ placeholder: String, in range: ClosedRange<I>, _ summary: String
  ) -> Argument<I?> where Value == I? {
    let (syntax, read) = ValueSyntax.integer(placeholder, in: range)
    return optional(syntax, summary, read: read)
  }
}
