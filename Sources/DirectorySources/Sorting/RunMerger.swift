internal import SystemSupport

/// Merges sorted runs: always stands on the least record of all of them, by number and order.
///
/// A tree of losers: each step compares once per level, about log2(runs) times.
struct RunMerger: ~Copyable {
  private let windows: MemoryBlock
  private let cursors: UnsafeMutablePointer<RunCursor>
  private let numbers: UnsafeMutablePointer<UInt64>
  private let orders: UnsafeMutablePointer<UInt64>
  private let losers: UnsafeMutablePointer<Int>
  private let count: Int
  private var opened = 0
  private var winner = 0

  /// A number no record has: marks a run that is read to its end.
  static let exhausted = UInt64.max

  /// A merger of `runs` that reads those on disk through windows of `window` bytes, no
  /// less than the longest record.
  static func opening(_ runs: [SortedRun], window: Int) throws(SystemError) -> RunMerger {
    let onDisk = runs.count { if case .file = $0.place { true } else { false } }
    var merger = RunMerger(windows: try MemoryBlock(byteCount: onDisk * window), count: max(runs.count, 1))
    try merger.open(runs, window: window)
    return merger
  }

  private init(windows: MemoryBlock, count: Int) {
    self.windows = windows
    self.count = count
    cursors = .allocate(capacity: count)
    numbers = .allocate(capacity: count)
    orders = .allocate(capacity: count)
    losers = .allocate(capacity: count)
    numbers.initialize(repeating: Self.exhausted, count: count)
    orders.initialize(repeating: UInt64.max, count: count)
    losers.initialize(repeating: -1, count: count)
  }

  deinit {
    cursors.deinitialize(count: opened)
    cursors.deallocate()
    numbers.deallocate()
    orders.deallocate()
    losers.deallocate()
  }

  private mutating func open(_ runs: [SortedRun], window: Int) throws(SystemError) {
    var used = 0
    for run in runs {
      let slice: UnsafeMutableRawBufferPointer
      if case .file = run.place {
        slice = UnsafeMutableRawBufferPointer(rebasing: windows.bytes[used..<used + window])
        used += window
      } else {
        slice = UnsafeMutableRawBufferPointer(start: nil, count: 0)
      }
      (cursors + opened).initialize(to: try RunCursor(run, window: slice))
      load(opened)
      opened += 1
    }
    // Each run climbs from its leaf until it meets an empty place, where it waits for the run from the other side.
    for run in 0..<count { climb(run) }
  }

  /// The number of the least record, or `exhausted`.
  var number: UInt64 { numbers[winner] }

  /// The least record.
  var record: UnsafeRawPointer { cursors[winner].record }

  /// Steps to the next record; the one before lies where it was only as long as its run's window does.
  @inline(__always)
  mutating func advance() throws(SystemError) {
    if cursors[winner].step() { try cursors[winner].refill() }
    load(winner)
    replay()
  }

  /// Copies records to `buffer`, which has room for the longest, until none is left or the next does not fit. Returns
  /// their bytes; 0 at the end.
  mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    var used = 0
    while number != Self.exhausted {
      let size = RowRecord.byteCount(at: record)
      guard used + size <= buffer.count else { break }
      (base + used).copyMemory(from: record, byteCount: size)
      used += size
      try advance()
    }
    return used
  }

  @inline(__always)
  private func load(_ run: Int) {
    if cursors[run].isAtEnd {
      numbers[run] = Self.exhausted
      orders[run] = UInt64.max
    } else {
      numbers[run] = cursors[run].record.loadUnaligned(as: UInt64.self)
      orders[run] = cursors[run].record.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    }
  }

  @inline(__always)
  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    if numbers[left] != numbers[right] { return numbers[left] < numbers[right] }
    if orders[left] != orders[right] { return orders[left] < orders[right] }
    // Rows of one line, as JSON may have them: their runs come in the order of rows.
    return left < right
  }

  private mutating func climb(_ run: Int) {
    var run = run
    var node = (run + count) / 2
    while node > 0 {
      if losers[node] < 0 {
        losers[node] = run
        return
      }
      if isBefore(losers[node], run) { swap(&losers[node], &run) }
      node /= 2
    }
    winner = run
  }

  @inline(__always)
  private mutating func replay() {
    var run = winner
    var node = (run + count) / 2
    while node > 0 {
      let loser = losers[node]
      if isBefore(loser, run) {
        losers[node] = run
        run = loser
      }
      node /= 2
    }
    winner = run
  }
}
