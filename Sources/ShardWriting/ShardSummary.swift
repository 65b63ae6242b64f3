public import CallDirectory
public import Digests

/// What a writer wrote.
public struct ShardSummary: Hashable, Sendable {
  /// Entries per family.
  public var counts: EntryCounts
  /// How many different numbers there are.
  public var numberCount: Int
  /// Number and label pairs stored one by one; more than `numberCount` only when numbers repeat.
  public var rowCount: Int
  /// Ranges kept unexpanded.
  public var runCount: Int
  /// The lowest number, nil without entries.
  public var firstNumber: PhoneNumber?
  /// The highest number, nil without entries.
  public var lastNumber: PhoneNumber?
  /// Size of the file.
  public var byteCount: Int
  /// SHA-256 of the file.
  public var fileDigest: SHA256Digest
  /// Digests of what both families say.
  public var contentDigests: ContentDigests
}
