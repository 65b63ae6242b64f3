public import CallDirectory
public import Digests

/// What a provider was loaded from and what it delivered: enough to tell whether it has to be loaded again.
public struct LoadReceipt: Hashable, Sendable {
  /// Entries accepted per family.
  public var counts: EntryCounts
  /// Content digests of what was accepted.
  public var digests: ContentDigests
  /// The planned shard the provider was given, or nil when it has data of its own.
  public var plannedShard: SHA256Digest?
  /// The library that was loaded.
  public var library: SHA256Digest?
  /// Digest of the options and the rest of the configuration, as whoever ran the load defines it.
  public var configuration: SHA256Digest?
  /// When the load ended, in seconds since 1970.
  public var loadedAt: Int64

  /// A receipt with the given fields.
  public init(
    counts: EntryCounts, digests: ContentDigests, plannedShard: SHA256Digest?, library: SHA256Digest?,
    configuration: SHA256Digest?, loadedAt: Int64
  ) {
    self.counts = counts
    self.digests = digests
    self.plannedShard = plannedShard
    self.library = library
    self.configuration = configuration
    self.loadedAt = loadedAt
  }
}
