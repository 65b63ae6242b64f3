public import CallDirectory

/// Walks the entries of a shard in ascending order. Memory is 1.6 KiB, in the balanced profile also the labels of one block;
/// nothing is allocated per entry. One thread at a time; any number of cursors may walk one shard.
public final class ShardCursor {
  /// The shard it walks.
  public let shard: Shard

  /// The block that is decoded, and the row in it that comes next.
  private var block = -1
  private var row = 0
  private var count = 0
  private var labels = UnsafeRawBufferPointer(start: nil, count: 0)
  private var hasLabels = false
  private var blocked = ShardRowFlags.none
  private let numbers: UnsafeMutablePointer<Int64>
  /// One more than there are rows: the end of the row before the first is 0.
  private let ends: UnsafeMutablePointer<UInt32>
  /// The labels of the block, where they are coded.
  private let decoded: LabelBuffer?

  private let checksSpans: Bool
  private let skipsRuns: Bool

  private enum RunState {
    /// No runs any more.
    case none
    /// Nobody has looked at the runs.
    case unchecked
    /// The run that comes next has not begun: rows may come before it.
    case waiting
    /// Within a run no row can come.
    case open
  }

  private var runState: RunState
  /// The run that comes next or is open: the first of its numbers that is left, the last one, and what it says.
  private var run = 0
  private var runNumber: Int64 = 0
  private var runLast: Int64 = 0
  private var runIsBlocked = false
  private var runLabel: UnsafeRawBufferPointer?
  /// The last number of the runs that were given.
  private var passedRuns: Int64 = 0

  /// `checksSpans`: whether the lengths by which single labels are found are compared with the labels. `skipsRuns`: only what
  /// stands in blocks.
  init(_ shard: Shard, checksSpans: Bool = false, skipsRuns: Bool = false) {
    self.shard = shard
    self.checksSpans = checksSpans
    self.skipsRuns = skipsRuns
    runState = skipsRuns || shard.runCount == 0 ? .none : .unchecked
    numbers = .allocate(capacity: ShardLayout.rowsPerBlock)
    ends = .allocate(capacity: ShardLayout.rowsPerBlock + 1)
    ends[0] = 0
    decoded = shard.content.codes == nil ? nil : LabelBuffer()
  }

  deinit {
    numbers.deallocate()
    ends.deallocate()
  }

  /// The next row, nil behind the last. Its label is borrowed until the cursor is used again.
  ///
  /// A run comes number by number, a number with several labels (R-INC-5) once for each, the label that is shown first; only
  /// its first row can be blocked. Throws when a block or the runs are damaged; the next call then goes on behind them.
  public func next() throws(ShardError) -> DirectoryEntry? {
    if runState != .none, try runComesNext() {
      let entry = DirectoryEntry(number: PhoneNumber(runNumber), isBlocked: runIsBlocked, label: runLabel)
      if runNumber == runLast { endRun() } else { runNumber &+= 1 }
      return entry
    }
    return try nextRow()
  }

  /// As `next()`, but what is left of a run comes at once.
  public func nextRun() throws(ShardError) -> EntryRun? {
    if runState != .none, try runComesNext() {
      let entry = DirectoryEntry(number: PhoneNumber(runNumber), isBlocked: runIsBlocked, label: runLabel)
      let count = Int(runLast &- runNumber) &+ 1
      endRun()
      return EntryRun(entry, count: count)
    }
    return try nextRow().map { EntryRun($0) }
  }

  @inline(__always)
  private func nextRow() throws(ShardError) -> DirectoryEntry? {
    if row == count {
      guard try decodeNextBlock() else { return nil }
    }
    let index = row
    row &+= 1
    var label: UnsafeRawBufferPointer?
    if hasLabels {
      let start = ends[index]
      let end = ends[index &+ 1]
      // Within the labels: `decode` found the ends ascending and the last one equal to the number of bytes.
      if start != end {
        label = UnsafeRawBufferPointer(start: labels.baseAddress! + Int(start), count: Int(end &- start))
      }
    }
    return DirectoryEntry(number: PhoneNumber(numbers[index]), isBlocked: blocked[index], label: label)
  }

  /// Makes the first row with a number ≥ `number` the next one. O(log n). Throws when the block it stands in or the runs are
  /// damaged; the place of the cursor is then the end.
  public func seek(to number: PhoneNumber) throws(ShardError) {
    row = 0
    count = 0
    block = shard.content.blockCount
    passedRuns = 0
    runState = .none
    let runs = shard.content.runs
    try runs.check(path: shard.path)
    if shard.content.blockCount > 0 { try seekRow(number.rawValue) }
    let first = runs.index(endingAtOrAbove: number.rawValue)
    guard first < runs.count, !skipsRuns else { return }
    prepare(run: first)
    // Of a run that begins further down the part before the number is passed.
    if runNumber < number.rawValue {
      runNumber = number.rawValue
      runState = .open
    }
  }

  private func seekRow(_ number: Int64) throws(ShardError) {
    try decode(shard.content.block(for: number))
    while row < count, numbers[row] < number { row &+= 1 }
  }

  // MARK: Runs

  /// Whether the next entry is one of a run. Requires: `runState` is not `none`.
  @inline(__always)
  private func runComesNext() throws(ShardError) -> Bool {
    if runState == .open { return true }
    return try opensRun()
  }

  /// Opens the next run when it comes before the next row.
  private func opensRun() throws(ShardError) -> Bool {
    if runState == .unchecked {
      runState = .none
      try shard.content.runs.check(path: shard.path)
      prepare(run: 0)
    }
    if row == count { _ = try decodeNextBlock() }
    if row < count {
      guard numbers[row] > passedRuns else { throw rowInRun() }
      if numbers[row] < runNumber { return false }
    }
    runState = .open
    return true
  }

  /// Makes a run the next one. Requires: the runs are sound, and there is such a run.
  private func prepare(run index: Int) {
    let runs = shard.content.runs
    run = index
    runNumber = runs.first(of: index)
    runLast = runs.last(of: index)
    runIsBlocked = runs.isBlocked(index)
    runLabel = runs.label(of: index)
    runState = .waiting
  }

  private func endRun() {
    passedRuns = runLast
    if run &+ 1 < shard.runCount { prepare(run: run &+ 1) } else { runState = .none }
  }

  /// A row that is left out, because a run has its number.
  private func rowInRun() -> ShardError {
    defer { row &+= 1 }
    return ShardError(
      .malformed, path: shard.path, what: "row \(row) of block \(block)", expectation: "a number above \(passedRuns)",
      found: "\(numbers[row]), which is in a run", fix: ShardError.replaceFile)
  }

  private func decodeNextBlock() throws(ShardError) -> Bool {
    guard block &+ 1 < shard.content.blockCount else { return false }
    try decode(block &+ 1)
    return true
  }

  private func decode(_ index: Int) throws(ShardError) {
    block = index
    row = 0
    count = 0
    do throws(ShardBlock.Fault) {
      if let codes = shard.content.codes, let decoded {
        let open = try shard.content.openCoded(index)
        try open.decodeNumbers(into: numbers)
        let identified = open.rows(blocking: false)
        hasLabels = open.identified != .none
        if hasLabels {
          try codes.decodeAll(of: open, identified, into: decoded, ends: ends + 1, checksSpans: checksSpans)
        }
        labels = UnsafeRawBufferPointer(decoded.bytes)
        blocked = open.rows(blocking: true)
        count = open.count
        return
      }
      let open = try shard.content.openPlain(index)
      open.decodeNumbers(into: numbers)
      labels = UnsafeRawBufferPointer(rebasing: open.bytes[open.labels...])
      hasLabels = open.endWidth != 0
      try open.decodeLabelEnds(into: ends + 1)
      blocked = ShardRowFlags(open)
      count = open.count
    } catch {
      throw shard.content.describe(error, block: index, path: shard.path)
    }
  }
}

extension Shard {
  /// A cursor before the first entry.
  public func makeCursor() -> ShardCursor { ShardCursor(self) }

  /// Calls `body` with every row in ascending order, as `ShardCursor.next()` gives them: runs number by number.
  public func forEachEntry(_ body: (DirectoryEntry) throws -> Void) throws {
    let cursor = makeCursor()
    while let entry = try cursor.next() { try body(entry) }
  }
}
