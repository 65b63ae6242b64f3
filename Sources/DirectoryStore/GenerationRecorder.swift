public import CallDirectory
public import Digests
public import ShardFormat
internal import ShardWriting
internal import SystemSupport

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A published shard that a provider was given and is expected to deliver.
public struct PlannedShard: Sendable {
  /// The shard, opened for streaming.
  public var shard: Shard
  /// Its path relative to the plan's folder, or absolute, as the store is to keep it.
  public var path: String
  /// The SHA-256 of its file, as the release states it.
  public var digest: SHA256Digest

  /// A shard with the given place and digest.
  public init(shard: Shard, path: String, digest: SHA256Digest) {
    self.shard = shard
    self.path = path
    self.digest = digest
  }
}

/// What a recorder made of a load: ready to be installed by the transaction it came from.
public struct StagedGeneration: Hashable, Sendable {
  /// Where the entries are.
  public var content: StoredGeneration.Content
  /// Entries per family.
  public var counts: EntryCounts
  /// Content digests of both families.
  public var digests: ContentDigests
}

/// Takes the entries that the host accepted from one provider and keeps them with as little writing as possible.
///
/// The two ascending families are compared with the planned shard while they stream. As long as they match, nothing is
/// written; when all matched, the generation is a link to the shard. At the first difference the prefix that matched is
/// copied and the rest goes on into a `plain` shard in the store's folder. Memory is a few megabytes at most, whatever the
/// number of entries.
///
/// One thread at a time; recorders are independent of each other and of the transaction, so providers may load in parallel.
/// A recorder that goes without `finish()` leaves nothing, or a file that the transaction or the next writer removes; until
/// then the store stays locked.
public final class GenerationRecorder: EntrySink, @unchecked Sendable {
  /// Entries taken so far.
  public private(set) var counts = EntryCounts()

  private let planned: PlannedShard?
  private let allowsRepeats: Bool
  private let file: (name: String, path: String)
  private var blockingCursor: ShardCursor?
  private var identificationCursor: ShardCursor?
  private var writer: FamilyMergingShardWriter?
  /// The lock of the change this load belongs to: whatever is written is written under it.
  private var lock: FileLock?

  init(file: (name: String, path: String), planned: PlannedShard?, allowsRepeats: Bool, lock: FileLock?) {
    self.lock = lock
    self.file = file
    self.planned = planned
    self.allowsRepeats = allowsRepeats
    blockingCursor = planned?.shard.makeCursor()
    identificationCursor = planned?.shard.makeCursor()
  }

  /// Takes one blocking entry. Throws a `ShardError` when it is out of order or the planned shard is damaged, and the
  /// system's error when writing fails; the recorder is of no use then.
  public func addBlocking(_ number: PhoneNumber) throws {
    if writer == nil {
      if try nextPlannedBlock() == number {
        counts.blocking += 1
        return
      }
      try diverge()
    }
    try writer?.addBlocking(number)
    counts.blocking += 1
  }

  /// Takes one identification entry; throws as `addBlocking` does.
  public func addIdentification(_ number: PhoneNumber, label: UnsafeRawBufferPointer) throws {
    if writer == nil {
      if let next = try nextPlannedLabel(), next.number == number, Self.areEqual(next.label, label) {
        counts.identification += 1
        return
      }
      try diverge()
    }
    try writer?.addIdentification(number, label: label)
    counts.identification += 1
  }

  /// Ends the load. The recorder is of no use afterwards, also after an error.
  public func finish() throws -> StagedGeneration {
    defer { lock = nil }
    if counts.total == 0 {
      return StagedGeneration(content: .empty, counts: counts, digests: Self.digestsOfNothing)
    }
    if writer == nil, let planned, planned.shard.counts == counts {
      return StagedGeneration(
        content: .link(path: planned.path, digest: planned.digest), counts: counts,
        digests: planned.shard.contentDigests)
    }
    try diverge()
    guard let summary = try writer?.finish() else {
      return StagedGeneration(content: .empty, counts: counts, digests: Self.digestsOfNothing)
    }
    return StagedGeneration(
      content: .own(name: file.name), counts: summary.counts, digests: summary.contentDigests)
  }

  /// Gives up: what was written is removed.
  public func abort() {
    writer?.abort()
    writer = nil
    lock = nil
  }

  /// Begins a shard of the store's own with what matched so far.
  private func diverge() throws {
    guard writer == nil else { return }
    var options = ShardWriter.Options()
    options.allowsRepeats = allowsRepeats
    // The commit syncs what it puts in force; a load that is dropped needs no sync.
    options.isDurable = false
    let writer = try FamilyMergingShardWriter(file.path, options: options)
    self.writer = writer
    blockingCursor = nil
    identificationCursor = nil
    guard let planned, counts.total > 0 else { return }
    var left = counts
    let cursor = planned.shard.makeCursor()
    while left.total > 0, let entry = try cursor.next() {
      if entry.isBlocked, left.blocking > 0 {
        try writer.addBlocking(entry.number)
        left.blocking -= 1
      }
      if let label = entry.label, left.identification > 0 {
        try writer.addIdentification(entry.number, label: label)
        left.identification -= 1
      }
    }
  }

  private func nextPlannedBlock() throws -> PhoneNumber? {
    guard let planned, counts.blocking < planned.shard.counts.blocking, let blockingCursor else { return nil }
    while let entry = try blockingCursor.next() {
      if entry.isBlocked { return entry.number }
    }
    return nil
  }

  private func nextPlannedLabel() throws -> (number: PhoneNumber, label: UnsafeRawBufferPointer)? {
    guard let planned, counts.identification < planned.shard.counts.identification, let identificationCursor else {
      return nil
    }
    while let entry = try identificationCursor.next() {
      if let label = entry.label { return (entry.number, label) }
    }
    return nil
  }

  @inline(__always)
  private static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let first = left.baseAddress, let second = right.baseAddress else { return true }
    return memcmp(first, second, left.count) == 0
  }

  private static var digestsOfNothing: ContentDigests {
    let nothing = ContentDigest().finish()
    return ContentDigests(blocking: nothing, identification: nothing)
  }
}

extension StoreTransaction {
  /// A recorder for one load of `id`.
  ///
  /// - Parameters:
  ///   - planned: What the provider was given to deliver; nil for one with data of its own.
  ///   - allowsRepeats: Whether a number may have several labels, which only incremental loads lead to (R-INC-5).
  public func makeRecorder(
    for id: ProviderID, planned: PlannedShard?, allowsRepeats: Bool = false
  ) -> GenerationRecorder {
    GenerationRecorder(file: stageFile(for: id.rawValue), planned: planned, allowsRepeats: allowsRepeats, lock: lock)
  }
}
