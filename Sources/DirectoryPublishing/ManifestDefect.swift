/// The manifest of a new release could not be read again, so it was not published: a defect of this program, never of the
/// input. Nothing has changed.
public struct ManifestDefect: Error, Hashable, Sendable, CustomStringConvertible {
  /// What reading it came to.
  public var what: String

  /// In words.
  public var description: String { "the new release cannot be described, nothing was published: \(what)" }
}
