/// How a shard stores its entries.
public enum ShardProfile: UInt8, Hashable, Sendable, CaseIterable {
  /// Labels as bytes: fastest to write and to search.
  case plain = 1
  /// Numbers and labels in codes: a fifth of the size of `plain`, still streamed and searched in place.
  case balanced = 2
}

extension ShardProfile: CustomStringConvertible {
  /// The word used in plans and reports.
  public var description: String {
    switch self {
    case .plain: "plain"
    case .balanced: "balanced"
    }
  }
}
