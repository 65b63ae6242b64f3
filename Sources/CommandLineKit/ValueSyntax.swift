internal import NameSuggestion

/// How the value of an option or an operand is written: its name in help texts and what a shell may complete.
public struct ValueSyntax: Hashable, Sendable {
  /// What a value stands for.
  public enum Kind: Hashable, Sendable {
    /// Free text.
    case text
    /// The path of a file; `-` for a standard stream where the command says so.
    case file
    /// The path of a folder.
    case directory
    /// A decimal integer; the bounds as text.
    case integer(lowest: String, highest: String)
    /// One of these words.
    case choice([String])
  }

  /// The name in capitals, for example `FILE`.
  public let placeholder: String
  /// What a value stands for.
  public let kind: Kind

  /// A value called `placeholder` in help texts.
  public init(_ placeholder: String, _ kind: Kind = .text) {
    self.placeholder = placeholder
    self.kind = kind
  }

  /// Free text.
  public static func text(_ placeholder: String) -> ValueSyntax { ValueSyntax(placeholder, .text) }
  /// The path of a file.
  public static func file(_ placeholder: String = "FILE") -> ValueSyntax { ValueSyntax(placeholder, .file) }
  /// The path of a folder.
  public static func directory(_ placeholder: String = "DIR") -> ValueSyntax { ValueSyntax(placeholder, .directory) }
}

/// Why a value was refused; the parser adds where it stood.
public struct ValueProblem: Error, Hashable, Sendable {
  /// What was found and what was expected, for example `'0' is not an integer from 1 to 9`.
  public let what: String
  /// What to do, when there is more to say than `what` does.
  public let hint: String?

  /// A refusal that reads `what`.
  public init(_ what: String, hint: String? = nil) {
    self.what = what
    self.hint = hint
  }
}

/// Turns one word of the command line into a value; throws a ``ValueProblem`` that says why it cannot.
public typealias ValueReader<Value> = @Sendable (String) throws(ValueProblem) -> Value

extension ValueSyntax {
  /// The reader of an integer in `range`, digits with an optional sign, and the syntax that goes with it.
  static func integer<I: FixedWidthInteger & Sendable>(
    _ placeholder: String, in range: ClosedRange<I>
  ) -> (ValueSyntax, ValueReader<I>) {
    let lowest = String(range.lowerBound)
    let highest = String(range.upperBound)
    let syntax = ValueSyntax(placeholder, .integer(lowest: lowest, highest: highest))
    let read: ValueReader<I> = { (word) throws(ValueProblem) in
      guard let value = I(word), range.contains(value) else {
        throw ValueProblem("'\(word)' is not an integer from \(lowest) to \(highest)")
      }
      return value
    }
    return (syntax, read)
  }

  /// The reader of one case of `Choice`, by raw value, and the syntax that goes with it.
  static func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
    _ placeholder: String, of type: Choice.Type
  ) -> (ValueSyntax, ValueReader<Choice>) where Choice.RawValue == String {
    let words = Choice.allCases.map(\.rawValue)
    let read: ValueReader<Choice> = { (word) throws(ValueProblem) in
      guard let value = Choice(rawValue: word) else {
        let hint = NearestName.find(word, among: words).map { "did you mean \($0)?" }
        throw ValueProblem("'\(word)' is none of \(words.joined(separator: ", "))", hint: hint)
      }
      return value
    }
    return (ValueSyntax(placeholder, .choice(words)), read)
  }
}
