public import CallDirectory
internal import Digests
public import ShardFormat
internal import SystemSupport

/// Writes a shard file from entries in ascending order. In the plain profile that is one pass: nothing is kept but a block and
/// a few hundred kilobytes of buffers, however many entries come. In the balanced profile the entries wait in a plain file,
/// which `finish()` then encodes: 16 bytes of memory for each label and 60 for each that repeats, 40 MB for 2 million.
///
/// The file is written beside `path` under the name `path.tmp` and renamed by `finish()`: under `path` stands nothing, or what
/// stood there before, until all of it is written. After a system error, `abort()` or the writer's end without `finish()` the
/// temporary file is gone. The same entries and options give the same bytes. One thread at a time, one writer per path.
public final class ShardWriter {
  /// What may be chosen.
  public struct Options: Hashable, Sendable {
    /// How entries are stored. Shards that are read as soon as they are written are best `plain`.
    public var profile: ShardProfile = .plain
    /// A name of the data set, for `inspect`: its first 32 bytes of UTF-8 are kept, cut between characters.
    public var dataSet = ""
    /// Whether a number may come again with a further label (R-INC-5): the first is the one that is shown. Only for stores.
    public var allowsRepeats = false
    /// Whether `finish()` waits until file and name are on the disk.
    public var isDurable = true

    /// The plain profile, no name, no repeats, durable.
    public init() {}
  }

  /// A range of fewer numbers is stored number by number: as rows it takes about as much room, and the shard has fewer runs to be
  /// searched.
  public static let leastNumbersOfRun = 32

  /// Where the shard is going to stand.
  public let path: String
  /// What was chosen.
  public let options: Options
  /// Entries taken so far.
  public var counts: EntryCounts {
    let (inRuns, open) = (runFigures.counts, openRun.counts)
    return EntryCounts(
      blocking: blocking + inRuns.blocking + open.blocking,
      identification: identification + inRuns.identification + open.identification)
  }

  /// What a dictionary can be trained on; nil in the plain profile.
  public let sample: LabelSample?

  private let output: ShardOutput
  private let block = PlainBlockBuilder()
  private let blockNumbers: IndexSpool
  private let blockOffsets: IndexSpool
  /// Two checksums a word, and one that waits for its neighbour.
  private let blockChecksums: IndexSpool
  private var checksumPair: UInt64 = 0
  private var blockCount = 0
  let digests: (blocking: ContentDigest, identification: ContentDigest)?
  private var blocksStart = 0
  // Stored apart and private: a public stored property costs a dynamic check for exclusive access at each entry.
  private var blocking = 0
  private var identification = 0
  private var rows = 0
  private var numbers = 0
  private var labelBytes = 0
  var first: Int64 = 0
  var last: Int64 = 0
  var lastHasLabel = false
  private(set) var isOpen = true
  /// What was given last, when that was a run.
  var openRun = OpenRun()
  var hasOpenRun = false
  var runs: RunSpool?
  var runFigures = RunFigures()

  private var temporaryPath: String { path + ".tmp" }

  /// Begins a shard that will stand at `path`. In the balanced profile its labels are offered to `sample`, one of its own when
  /// none is given. Throws the system's error when the temporary file cannot be made.
  public convenience init(_ path: String, options: Options = Options(), sample: LabelSample? = nil) throws {
    try self.init(path, options: options, sample: sample, takesDigests: true)
  }

  /// `takesDigests` is false for a caller that takes them; `indexCapacity` is how many blocks the index holds in memory.
  package init(
    _ path: String, options: Options, sample: LabelSample? = nil, takesDigests: Bool = true,
    indexCapacity: Int = 1 << 14
  ) throws {
    self.sample = options.profile == .balanced ? sample ?? LabelSample() : nil
    self.path = path
    self.options = options
    let directory = Path.directory(of: path)
    blockNumbers = IndexSpool(directory: directory, capacity: indexCapacity)
    blockOffsets = IndexSpool(directory: directory, capacity: indexCapacity)
    blockChecksums = IndexSpool(directory: directory, capacity: indexCapacity)
    digests = takesDigests ? (ContentDigest(), ContentDigest()) : nil
    output = try ShardOutput(path + ".tmp")
    // What is encoded later is only going to be read back.
    output.takesFileDigest = options.profile == .plain
    try closing {
      try output.write(ShardFraming.head(options, profile: .plain))
      try output.beginSection()
    }
    blocksStart = output.position
  }

  deinit { abort() }

  /// Takes the next entry. O(1) amortised, no allocation.
  ///
  /// Throws a `ShardError` when the number is not above the one before it (both are named, with the index), below 1, in no
  /// family, or its label is empty, longer than 65,534 bytes or no UTF-8: the entry is then not taken and the writer goes on.
  /// Throws the system's error when writing fails; the writer is closed then.
  public func append(_ entry: DirectoryEntry) throws {
    if hasOpenRun {
      if openRun.join(EntryRun(entry), most: ShardLayout.Run.mostNumbers) { return }
      try closeRun()
    }
    let number = entry.number.rawValue
    if number <= last || (entry.label == nil && !entry.isBlocked) { try checkExceptional(entry) }
    if let label = entry.label { try check(label, number) }
    try beginRow(number)
    if entry.isBlocked { blockLast() }
    if let label = entry.label { labelLast(label) }
  }

  /// Writes what is left, the index and the trailer, and gives the file its name. The writer is closed afterwards, also after
  /// an error. A balanced shard is written in the phrases of `dictionary`, of one trained on `sample` when none is given.
  public func finish(dictionary: PhraseDictionary? = nil) throws -> ShardSummary {
    try closeRun()
    let none = SHA256().finish()
    return try finish(
      contentDigests: ContentDigests(
        blocking: digests?.blocking.finish() ?? none, identification: digests?.identification.finish() ?? none),
      dictionary: dictionary)
  }

  /// Gives up: the temporary file is removed. Without effect on a writer that is closed.
  public func abort() {
    guard isOpen else { return }
    isOpen = false
    // Nothing can be done about a temporary file that cannot be removed; the next writer to this path empties it.
    try? FileSystem.remove(temporaryPath)
  }

  // MARK: Rows, for the writers of this module

  /// Begins a row of `number`. Requires: `number` > `last`, or = `last` where repeats are allowed and a label follows.
  func beginRow(_ number: Int64) throws {
    if block.isFull || !isOpen { try sealBlock() }
    block.append(number)
    rows &+= 1
    if number != last { numbers &+= 1 }
    if first == 0 { first = number }
    last = number
    lastHasLabel = false
  }

  /// Puts the last row into the blocking family. Requires: it is not, and is the first row of its number.
  func blockLast() {
    block.blockLast()
    blocking &+= 1
    digests?.blocking.append(last)
  }

  /// Puts the last row into the identification family. Requires: it is not; `label` passed `check`.
  func labelLast(_ label: UnsafeRawBufferPointer) {
    block.labelLast(label)
    identification &+= 1
    labelBytes &+= label.count
    lastHasLabel = true
    digests?.identification.append(last, label: label)
    sample?.add(label)
  }

  /// Throws unless `label` may stand in a shard.
  @inline(__always)
  func check(_ label: UnsafeRawBufferPointer, _ number: Int64) throws(ShardError) {
    guard CallLabel.isKept(byteCount: label.count), UTF8Validity.isValid(label) else {
      let size = CallLabel.isKept(byteCount: label.count) ? "bytes that are no UTF-8" : "\(label.count) bytes"
      throw entryError(
        number, "a label of 1 to \(CallLabel.maximumBytes) bytes of UTF-8", size, "shorten or drop the label")
    }
  }

  /// The file is only going to be read back: its digest need not be taken.
  func skipFileDigest() { output.takesFileDigest = false }

  /// As `finish()`, with digests that the caller took.
  func finish(contentDigests: ContentDigests, dictionary: PhraseDictionary? = nil) throws -> ShardSummary {
    if let sample {
      return try encode(dictionary ?? PhraseDictionary(training: sample), contentDigests)
    }
    return try closing {
      try writeEnd(contentDigests, hasRuns: true)
      let fileDigest = try output.finish(durable: options.isDurable)
      try FileSystem.rename(temporaryPath, to: path)
      isOpen = false
      if options.isDurable { try FileSystem.synchronizeDirectory(Path.directory(of: path)) }
      return summary(byteCount: output.position, fileDigest, contentDigests)
    }
  }

  private func summary(byteCount: Int, _ fileDigest: SHA256Digest, _ contentDigests: ContentDigests) -> ShardSummary {
    ShardSummary(
      counts: counts, numberCount: numbers + runFigures.numbers, rowCount: rows, runCount: runs?.count ?? 0,
      firstNumber: first == 0 ? nil : PhoneNumber(first), lastNumber: first == 0 ? nil : PhoneNumber(last),
      byteCount: byteCount, fileDigest: fileDigest,
      contentDigests: contentDigests)
  }

  /// Encodes what was written so far into the file that gets the name.
  private func encode(_ dictionary: PhraseDictionary, _ contentDigests: ContentDigests) throws -> ShardSummary {
    let spool = try finishForReading()
    do {
      let encoder = try BalancedEncoder(spool, dictionary)
      let output = try ShardOutput(temporaryPath)
      try output.write(ShardFraming.head(options))
      let sections = try encoder.write(to: output)
      try writeEnd(sections, contentDigests, to: output, hasRuns: true)
      let fileDigest = try output.finish(durable: options.isDurable)
      try FileSystem.rename(temporaryPath, to: path)
      if options.isDurable { try FileSystem.synchronizeDirectory(Path.directory(of: path)) }
      return summary(byteCount: output.position, fileDigest, contentDigests)
    } catch {
      try? FileSystem.remove(temporaryPath)
      guard error is BalancedEncoder.Unwritable else { throw error }
      throw ShardError(
        .entry, path: path, what: "labels", expectation: "bytes that the phrase dictionary has codes for",
        found: "others", fix: "train the dictionary on a sample that covers all bytes")
    }
  }

  /// Ends the file without giving it a name: its rows can be read as long as the result lives, and it is gone afterwards. Runs
  /// are not in it.
  func finishForReading() throws -> Shard {
    try closing {
      let none = SHA256().finish()
      try writeEnd(ContentDigests(blocking: none, identification: none), hasRuns: false)
      _ = try output.finish(durable: false)
      let shard = try Shard(temporaryPath, access: .streaming)
      // Must not be left behind: the merged shard is begun under this name, and emptying a mapped file kills the process.
      try FileSystem.remove(temporaryPath)
      isOpen = false
      return shard
    }
  }

  private func writeEnd(_ contentDigests: ContentDigests, hasRuns: Bool) throws {
    guard isOpen else { throw closedError() }
    if block.count > 0 { try sealBlock() }
    var sections = [output.endSection(.plainBlocks)]
    try output.beginSection()
    try blockNumbers.copy(to: output)
    sections.append(output.endSection(.blockNumbers))
    try output.beginSection()
    try blockOffsets.copy(to: output)
    sections.append(output.endSection(.blockOffsets))
    if sample == nil {
      try output.beginSection()
      try blockChecksums.copy(to: output)
      if blockCount % 2 == 1 { try output.write(checksumPair, byteCount: 4) }
      sections.append(output.endSection(.blockChecksums, mustBeKnown: false))
    }
    try writeEnd(sections, contentDigests, to: output, hasRuns: hasRuns, profile: .plain)
  }

  private func writeEnd(
    _ sections: [ShardSection], _ contentDigests: ContentDigests, to output: ShardOutput, hasRuns: Bool,
    profile: ShardProfile? = nil
  ) throws {
    var sections = sections
    if hasRuns, let runs { sections.append(try runs.write(to: output)) }
    let inRuns = hasRuns ? runFigures : RunFigures()
    try output.align()
    let trailer = ShardFraming.Trailer(
      rows: rows, numbers: numbers + inRuns.numbers, repeats: rows > numbers,
      counts: EntryCounts(
        blocking: blocking + inRuns.counts.blocking, identification: identification + inRuns.counts.identification),
      first: first, last: last, labelBytes: labelBytes + inRuns.labelBytes,
      digests: contentDigests, sections: sections, tableOffset: output.position)
    let table = ShardFraming.table(sections)
    try output.write(table)
    try output.align()
    try output.write(trailer.bytes(head: ShardFraming.head(options, profile: profile), table: table))
  }

  private func sealBlock() throws {
    guard isOpen else { throw closedError() }
    try closing {
      try blockNumbers.append(UInt64(bitPattern: block.first))
      try blockOffsets.append(UInt64(output.position - blocksStart))
      // What is only going to be read back needs none.
      let checksum = UInt64(try block.seal(to: output, takesChecksum: sample == nil))
      blockCount += 1
      if blockCount % 2 == 1 {
        checksumPair = checksum
      } else {
        try blockChecksums.append(checksumPair | checksum << 32)
      }
    }
  }

  /// Removes the temporary file when `body` fails.
  func closing<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch {
      abort()
      throw error
    }
  }

  /// The cases an ascending stream of entries never meets: throws unless the entry repeats a number as allowed.
  func checkExceptional(_ entry: DirectoryEntry) throws(ShardError) {
    let number = entry.number.rawValue
    guard entry.isBlocked || entry.label != nil else {
      throw entryError(number, "a block, a label or both", "neither", "leave the entry out")
    }
    guard number >= 1 else { throw entryError(number, "a number from 1", "\(number)", "leave the entry out") }
    if number == last, options.allowsRepeats, entry.label != nil, !entry.isBlocked, lastHasLabel { return }
    if number <= last { throw orderError(number, index: rows, previous: last) }
  }

  func orderError(_ number: Int64, index: Int, previous: Int64, family: String = "") -> ShardError {
    let repeated = number == previous
    return ShardError(
      .order, path: path, what: "\(family)entry \(index)", expectation: "a number above \(previous)",
      found: "\(number)",
      fix: repeated ? "merge entries of one number before writing" : "sort the entries by number",
      neighbours: .init(index: index, previous: previous, number: number))
  }

  func entryError(_ number: Int64, _ expectation: String, _ found: String, _ fix: String) -> ShardError {
    ShardError(
      .entry, path: path, what: "entry \(rows) (number \(number))", expectation: expectation, found: found, fix: fix)
  }

  func closedError() -> ShardError {
    ShardError(
      .closed, path: path, what: "writer", expectation: "an open writer", found: "one that has finished or failed",
      fix: "begin a new writer")
  }
}
