public import CallDirectory
internal import Digests
internal import ShardFormat
internal import SystemSupport

/// Writes a shard from two families that arrive as two ascending streams, interleaved in any way: as the phone hands over
/// what a provider adds.
///
/// An entry at or above the highest number so far goes straight into the shard. One below it, which only happens once both
/// families have come, waits in an unnamed file of its family beside the shard; `finish()` then merges these files and the
/// shard in one more pass. So a provider that feeds one family, or both in step, costs one pass. Memory is under 2 MB,
/// whatever the number of entries. What holds of files and errors is as with `ShardWriter`. One thread at a time.
public final class FamilyMergingShardWriter: EntrySink {
  /// Where the shard is going to stand.
  public let path: String
  /// Entries taken so far.
  public var counts: EntryCounts { EntryCounts(blocking: blocking, identification: identification) }

  private let options: ShardWriter.Options
  private let direct: ShardWriter
  private let digests = (blocking: ContentDigest(), identification: ContentDigest())
  private var lateBlocking: EntrySpool?
  private var lateIdentification: EntrySpool?
  private var blocking = 0
  private var identification = 0
  private var lastBlocking: Int64 = 0
  private var lastIdentification: Int64 = 0
  /// Whether the last row written is the first one of its number: only that one can carry the block.
  private var lastRowIsFirst = false

  /// Begins a shard that will stand at `path`. Throws the system's error when the temporary file cannot be made.
  public init(_ path: String, options: ShardWriter.Options = ShardWriter.Options()) throws {
    self.path = path
    self.options = options
    direct = try ShardWriter(path, options: options, takesDigests: false)
  }

  /// Takes a blocking entry. Throws a `ShardError` that names both neighbours and the index in the family when its number is
  /// not above the last one of the family; the entry is not taken then.
  public func addBlocking(_ number: PhoneNumber) throws {
    let value = number.rawValue
    guard value > lastBlocking else {
      throw direct.orderError(value, index: blocking, previous: lastBlocking, family: "blocking ")
    }
    if value > direct.last {
      try direct.beginRow(value)
      direct.blockLast()
      lastRowIsFirst = true
    } else if value == direct.last, lastRowIsFirst {
      direct.blockLast()
    } else {
      try keepLate(value)
    }
    lastBlocking = value
    blocking += 1
    digests.blocking.append(value)
  }

  /// Takes an identification entry. Throws a `ShardError` as `addBlocking` does, and for a label that is empty, longer than
  /// 65,534 bytes or no UTF-8; the entry is not taken then. With `allowsRepeats` a number may come again with a further label.
  public func addIdentification(_ number: PhoneNumber, label: UnsafeRawBufferPointer) throws {
    let value = number.rawValue
    let repeats = value == lastIdentification && options.allowsRepeats && value > 0
    guard value > lastIdentification || repeats else {
      throw direct.orderError(
        value, index: identification, previous: lastIdentification, family: "identification ")
    }
    try direct.check(label, value)
    if value > direct.last {
      try direct.beginRow(value)
      direct.labelLast(label)
      lastRowIsFirst = true
    } else if value == direct.last {
      if direct.lastHasLabel {
        try direct.beginRow(value)
        lastRowIsFirst = false
      }
      direct.labelLast(label)
    } else {
      try keepLate(value, label)
    }
    lastIdentification = value
    identification += 1
    digests.identification.append(value, label: label)
  }

  /// Merges what waits, writes index and trailer, and gives the file its name. The writer is closed afterwards, also after an
  /// error.
  public func finish() throws -> ShardSummary {
    let content = ContentDigests(
      blocking: digests.blocking.finish(), identification: digests.identification.finish())
    guard lateBlocking != nil || lateIdentification != nil else { return try direct.finish(contentDigests: content) }
    return try merge(content)
  }

  /// Gives up: nothing is left on the disk. Without effect on a writer that is closed.
  public func abort() { direct.abort() }

  private func keepLate(_ number: Int64) throws {
    try closing {
      let spool = try lateBlocking ?? EntrySpool(directory: Path.directory(of: path), hasLabels: false)
      lateBlocking = spool
      direct.skipFileDigest()
      try spool.append(number)
    }
  }

  private func keepLate(_ number: Int64, _ label: UnsafeRawBufferPointer) throws {
    try closing {
      let spool = try lateIdentification ?? EntrySpool(directory: Path.directory(of: path), hasLabels: true)
      lateIdentification = spool
      direct.skipFileDigest()
      try spool.append(number, label: label)
    }
  }

  private func closing(_ body: () throws -> Void) throws {
    do { try body() } catch {
      abort()
      throw error
    }
  }

  /// Merges the rows written directly with those that waited. At one number the direct ones came first.
  private func merge(_ content: ContentDigests) throws -> ShardSummary {
    let rows = try direct.finishForReading().makeCursor()
    var blocking = try lateBlocking?.read()
    var identification = try lateIdentification?.read()
    let merged = try ShardWriter(path, options: options, takesDigests: false)
    var row = try rows.next()
    while true {
      guard row != nil || blocking?.number != nil || identification?.number != nil else { break }
      let number = min(
        row?.number.rawValue ?? .max, blocking?.number ?? .max, identification?.number ?? .max)
      try merged.beginRow(number)
      var isBlocked = false
      if row?.number.rawValue == number, row?.isBlocked == true { isBlocked = true }
      if blocking?.number == number {
        isBlocked = true
        blocking?.advance()
      }
      if isBlocked { merged.blockLast() }
      while let entry = row, entry.number.rawValue == number {
        if let label = entry.label { try add(label, number, to: merged) }
        row = try rows.next()
      }
      while let late = identification, late.number == number {
        try add(late.label, number, to: merged)
        identification?.advance()
      }
    }
    return try merged.finish(contentDigests: content)
  }

  /// Labels the row of `number`, or begins one more when it has a label already.
  private func add(_ label: UnsafeRawBufferPointer, _ number: Int64, to writer: ShardWriter) throws {
    if writer.lastHasLabel { try writer.beginRow(number) }
    writer.labelLast(label)
  }
}
