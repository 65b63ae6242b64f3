/// An option whose parsed value has the type `Value`; ``ParsedArguments`` is indexed by it.
///
///     static let rows = Option.integer("rows", "N", in: 1...20_000_000, default: 4_200_000, "rows to write")
///     …
///     let count = arguments[rows]
public struct Option<Value: Sendable>: DefinesOption {
  /// What parser and help text know of it.
  public let definition: OptionDefinition

  init(
    _ name: String, short: Character?, value: ValueSyntax?, summary: String, isRepeatable: Bool = false,
    defaultText: String? = nil, isRequired: Bool = false, section: String?,
    read: @escaping @Sendable ([String]) throws(ValueProblem) -> Value
  ) {
    definition = OptionDefinition(
      name: name, short: short, value: value, summary: summary, isRepeatable: isRepeatable, defaultText: defaultText,
      isRequired: isRequired, section: section ?? "Options",
      read: { (words) throws(ValueProblem) in ValueBox(try read(words)) })
  }
}

extension Option where Value == Bool {
  /// An option without a value.
  public static func flag(
    _ name: String, short: Character? = nil, _ summary: String, section: String? = nil
  ) -> Option {
    Option(name, short: short, value: nil, summary: summary, section: section) { words in !words.isEmpty }
  }
}

extension Option {
  /// An option that may be left out.
  public static func value<Wrapped: Sendable>(
    _ name: String, short: Character? = nil, _ syntax: ValueSyntax, _ summary: String, section: String? = nil,
    read: @escaping ValueReader<Wrapped>
  ) -> Option<Wrapped?> where Value == Wrapped? {
    Option(name, short: short, value: syntax, summary: summary, section: section) { (words) throws(ValueProblem) in
      guard let word = words.first else { return nil }
      return try read(word)
    }
  }

  /// An option that has `fallback` when it is left out; `defaultText` is how help texts write that.
  public static func value(
    _ name: String, short: Character? = nil, _ syntax: ValueSyntax, default fallback: Value, as defaultText: String,
    _ summary: String, section: String? = nil, read: @escaping ValueReader<Value>
  ) -> Option {
    Option(name, short: short, value: syntax, summary: summary, defaultText: defaultText, section: section) {
      (words) throws(ValueProblem) in
      guard let word = words.first else { return fallback }
      return try read(word)
    }
  }

  /// An option that may be given any number of times; its values in the order given.
  public static func values<Element: Sendable>(
    _ name: String, short: Character? = nil, _ syntax: ValueSyntax, _ summary: String, section: String? = nil,
    read: @escaping ValueReader<Element>
  ) -> Option<[Element]> where Value == [Element] {
    Option(name, short: short, value: syntax, summary: summary, isRepeatable: true, section: section) {
      (words) throws(ValueProblem) in
      var elements: [Element] = []
      for word in words { elements.append(try read(word)) }
      return elements
    }
  }
}

extension Option where Value == String? {
  /// A text that may be left out.
  public static func text(
    _ name: String, short: Character? = nil, _ syntax: ValueSyntax, _ summary: String, section: String? = nil
  ) -> Option {
    value(name, short: short, syntax, summary, section: section) { $0 }
  }
}

extension Option where Value == String {
  /// A text that must be given.
  public static func required(
    _ name: String, short: Character? = nil, _ syntax: ValueSyntax, _ summary: String, section: String? = nil
  ) -> Option {
    Option(name, short: short, value: syntax, summary: summary, isRequired: true, section: section) {
      (words) throws(ValueProblem) in
      guard let word = words.first else {
        throw ValueProblem("is missing: \(summary)", hint: "write --\(name) \(syntax.placeholder)")
      }
      return word
    }
  }

  /// A text with a default.
  public static func text(
    _ name: String, short: Character? = nil, _ syntax: ValueSyntax, default fallback: String, _ summary: String,
    section: String? = nil
  ) -> Option {
    value(name, short: short, syntax, default: fallback, as: fallback, summary, section: section) { $0 }
  }
}

extension Option where Value == [String] {
  /// Texts, one per occurrence.
  public static func texts(
    _ name: String, short: Character? = nil, _ syntax: ValueSyntax, _ summary: String, section: String? = nil
  ) -> Option {
    values(name, short: short, syntax, summary, section: section) { $0 }
  }
}

extension Option where Value: FixedWidthInteger {
  /// An integer with a default.
  public static func integer(
    _ name: String, short: Character? = nil, _ placeholder: String, in range: ClosedRange<Value>,
    default fallback: Value, _ summary: String, section: String? = nil
  ) -> Option {
    let (syntax, read) = ValueSyntax.integer(placeholder, in: range)
    return value(
      name, short: short, syntax, default: fallback, as: String(fallback), summary, section: section, read: read)
  }
}

extension Option {
  /// An integer that may be left out.
  public static func integer<I: FixedWidthInteger & Sendable>(
    _ name: String, short: Character? = nil, _ placeholder: String, in range: ClosedRange<I>, _ summary: String,
    section: String? = nil
  ) -> Option<I?> where Value == I? {
    let (syntax, read) = ValueSyntax.integer(placeholder, in: range)
    return value(name, short: short, syntax, summary, section: section, read: read)
  }

  /// One of the cases of an enumeration, written by raw value, that may be left out.
  public static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
    _ name: String, short: Character? = nil, _ placeholder: String, _ summary: String, section: String? = nil
  ) -> Option<Choice?> where Value == Choice?, Choice.RawValue == String {
    let (syntax, read) = ValueSyntax.choice(placeholder, of: Choice.self)
    return value(name, short: short, syntax, summary, section: section, read: read)
  }
}

extension Option where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the cases of an enumeration, written by raw value, with a default.
  public static func choice(
    _ name: String, short: Character? = nil, _ placeholder: String, default fallback: Value, _ summary: String,
    section: String? = nil
  ) -> Option {
    let (syntax, read) = ValueSyntax.choice(placeholder, of: Value.self)
    return value(
      name, short: short, syntax, default: fallback, as: fallback.rawValue, summary, section: section, read: read)
  }
}
