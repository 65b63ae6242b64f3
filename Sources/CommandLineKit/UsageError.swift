/// A command line that cannot be understood; exit status 64.
public struct UsageError: Error, Hashable, Sendable {
  /// The word, option or operand it is about; empty when it is the whole line.
  public let place: String
  /// What is wrong with it.
  public let what: String
  /// What to type instead.
  public let hint: String

  /// An error at `place`.
  public init(_ place: String, _ what: String, hint: String) {
    self.place = place
    self.what = what
    self.hint = hint
  }

  /// The same for printing.
  public var diagnostic: Diagnostic { Diagnostic(place, what, hint: hint, status: .usage) }
}
