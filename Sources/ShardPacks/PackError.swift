/// Why packs cannot be read together.
public struct PackError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Kind: Hashable, Sendable {
    /// A file is not there or cannot be read.
    case missing
    /// The index or a pack is not what it should be, or packs contradict each other.
    case damaged
    /// The choice of packs names what there is not, or is no choice.
    case wrongChoice
    /// The packs chosen come to more entries than may be loaded (R-CAP-1, R-CAP-2).
    case tooManyEntries
  }

  /// The kind of problem.
  public var kind: Kind
  /// The file with line and column where they are known.
  public var place: String
  /// What is wrong there.
  public var what: String
  /// What to do about it.
  public var hint: String

  package init(_ kind: Kind, _ place: String, _ what: String, hint: String) {
    self.kind = kind
    self.place = place
    self.what = what
    self.hint = hint
  }
}

extension PackError: CustomStringConvertible {
  /// `place: what`, without the hint.
  public var description: String { "\(place): \(what)" }
}
