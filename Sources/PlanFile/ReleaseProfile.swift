/// How the shards of a release are stored. What they say does not depend on it.
public enum ReleaseProfile: String, Hashable, Sendable, CaseIterable {
  /// Labels as bytes: written fastest.
  case plain
  /// Numbers and labels in codes: about a fifth of the size, still streamed and searched in place.
  case balanced
}
