/// Why no plan can be written for a file as it is.
public struct DraftError: Error, Hashable, Sendable {
  /// The file; empty when no file is to blame.
  public var file: String
  /// What is wrong.
  public var what: String
  /// What to do about it.
  public var hint: String
}

extension DraftError: CustomStringConvertible {
  /// `file: what`, without the hint.
  public var description: String { file.isEmpty ? what : "\(file): \(what)" }
}
