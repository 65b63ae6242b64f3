/// The content digests of both families: equal for two directories that say the same, however they are stored.
public struct ContentDigests: Hashable, Sendable {
  /// Of the blocking family.
  public var blocking: SHA256Digest
  /// Of the identification family.
  public var identification: SHA256Digest

  /// Digests as given.
  public init(blocking: SHA256Digest, identification: SHA256Digest) {
    self.blocking = blocking
    self.identification = identification
  }
}
