/// A release folder that cannot be used as asked.
public struct ReleaseError: Error, Hashable, Sendable {
  /// What kind of failure it is.
  public enum Kind: Hashable, Sendable {
    /// There is no such release.
    case missing
    /// A file of the release is not what its manifest says.
    case damaged
    /// The folder holds the releases of another plan.
    case otherPlan
    /// A release has shards for other providers than the plan.
    case otherProviders
    /// The folder cannot be made or written to.
    case notWritable
  }

  /// The kind of failure.
  public var kind: Kind
  /// The file or folder.
  public var path: String
  /// What is wrong with it.
  public var what: String
  /// What to do about it.
  public var hint: String

  /// A failure with the given fields.
  public init(kind: Kind, path: String, what: String, hint: String) {
    self.kind = kind
    self.path = path
    self.what = what
    self.hint = hint
  }
}

extension ReleaseError: CustomStringConvertible {
  /// `path: what`.
  public var description: String { "\(path): \(what)" }
}
