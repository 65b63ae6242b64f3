internal import SystemSupport

/// Merges sorted runs: gives all their records in ascending order of number and order.
///
/// Works in rounds. Of each run the next records are looked at, and all that nothing unseen can come before are sorted
/// at once, by radix: unlike a choice of the least record for each, that has no branch which is wrong every other time.
struct RunMerger: ~Copyable {
  private let windows: MemoryBlock
  private let cursors: UnsafeMutablePointer<RunCursor>
  private let memory: MemoryBlock
  private let keys: UnsafeMutableBufferPointer<SortKey>
  private let scratch: UnsafeMutableBufferPointer<SortKey>
  /// Records looked at per run and round.
  private let depth: Int
  private let count: Int
  private var opened = 0
  /// Where the keys of each run begin, and their end.
  private let starts: UnsafeMutablePointer<Int>
  /// The records of the round that have not been given yet.
  private var sorted: UnsafeMutableBufferPointer<SortKey>
  private var next = 0

  /// Records of a round: their keys stay within the second-level cache.
  private static let roundCount = 8_192
  private static let leastDepth = 16

  /// A merger of `runs` that reads those on disk through windows of `window` bytes, no less than the longest record.
  static func opening(_ runs: [SortedRun], window: Int) throws(SystemError) -> RunMerger {
    let onDisk = runs.count { if case .file = $0.place { true } else { false } }
    let depth = max(leastDepth, roundCount / max(runs.count, 1))
    var merger = RunMerger(
      windows: try MemoryBlock(byteCount: onDisk * window),
      memory: try MemoryBlock(byteCount: 2 * runs.count * depth * MemoryLayout<SortKey>.stride), count: runs.count,
      depth: depth)
    try merger.open(runs, window: window)
    return merger
  }

  private init(windows: MemoryBlock, memory: MemoryBlock, count: Int, depth: Int) {
    self.windows = windows
    self.memory = memory
    self.count = count
    self.depth = depth
    cursors = .allocate(capacity: count)
    starts = .allocate(capacity: count + 1)
    let all = memory.bytes.bindMemory(to: SortKey.self)
    keys = UnsafeMutableBufferPointer(rebasing: all[..<(count * depth)])
    scratch = UnsafeMutableBufferPointer(rebasing: all[(count * depth)..<(2 * count * depth)])
    sorted = UnsafeMutableBufferPointer(rebasing: keys[..<0])
  }

  deinit {
    cursors.deinitialize(count: opened)
    cursors.deallocate()
    starts.deallocate()
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
      opened += 1
    }
  }

  /// Copies records to `buffer`, which has room for the longest, until none is left or the next does not fit. Returns
  /// their bytes; 0 at the end.
  mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    var used = 0
    while true {
      while next < sorted.count {
        let record = sorted[next].record
        let size = RowRecord.byteCount(at: record)
        guard used + size <= buffer.count else { return used }
        (base + used).copyShort(from: record, byteCount: size)
        used += size
        next += 1
      }
      try sortNext()
      if sorted.isEmpty { return used }
    }
  }

  /// Sorts the records of the next round; none at the end. What was given before loses its place.
  private mutating func sortNext() throws(SystemError) {
    var bound: Bound?
    var seen = 0
    for run in 0..<count {
      starts[run] = seen
      try cursors[run].refillWhenLow()
      let hasMore = cursors[run].lookAhead(depth, keys: keys, from: &seen)
      guard hasMore, seen > starts[run] else { continue }
      let last = keys[seen - 1]
      if let bound, !bound.covers(last, of: run) { continue }
      bound = Bound(last, run: run)
    }
    starts[count] = seen

    var taken = 0
    for run in 0..<count {
      let first = starts[run]
      let end = bound.map { $0.end(of: run, in: keys, first..<starts[run + 1]) } ?? starts[run + 1]
      guard end > first else { continue }
      cursors[run].step(behind: keys[end - 1].record)
      (keys.baseAddress! + taken).update(from: keys.baseAddress! + first, count: end - first)
      taken += end - first
    }
    let other: UnsafeMutableBufferPointer<SortKey>
    sorted = RadixSort.sort(
      UnsafeMutableBufferPointer(rebasing: keys[..<taken]),
      scratch: UnsafeMutableBufferPointer(rebasing: scratch[..<taken]))
    other = sorted.baseAddress == keys.baseAddress ? scratch : keys
    next = 0
    var index = 1
    while index < taken {
      if sorted[index].number == sorted[index - 1].number { index = sortEqual(from: index - 1, scratch: other) }
      index += 1
    }
  }

  /// Puts the records of the number at `start` in their order. Returns the place behind them.
  private func sortEqual(from start: Int, scratch: UnsafeMutableBufferPointer<SortKey>) -> Int {
    let number = sorted[start].number
    var end = start + 1
    while end < sorted.count, sorted[end].number == number { end += 1 }
    let equal = UnsafeMutableBufferPointer(rebasing: sorted[start..<end])
    for index in equal.indices { equal[index].number = equal[index].order }
    if equal.count <= 16 {
      for index in 1..<equal.count {
        let key = equal[index]
        var place = index
        while place > 0, equal[place - 1].number > key.number {
          equal[place] = equal[place - 1]
          place -= 1
        }
        equal[place] = key
      }
    } else {
      let result = RadixSort.sort(equal, scratch: UnsafeMutableBufferPointer(rebasing: scratch[start..<end]))
      if result.baseAddress != equal.baseAddress { _ = equal.update(fromContentsOf: result) }
    }
    for index in equal.indices { equal[index].number = number }
    return end
  }
}

/// The last record that may be given in a round: whatever has not been seen comes behind it.
private struct Bound {
  private let number: UInt64
  private let order: UInt64
  private let run: Int

  init(_ key: SortKey, run: Int) {
    number = key.number
    order = key.order
    self.run = run
  }

  /// Whether a record comes no later. Rows of one line, as JSON may have them, are alike in number and order: their runs
  /// come in the order of rows.
  @inline(__always)
  func covers(_ key: SortKey, of run: Int) -> Bool {
    if key.number != number { return key.number < number }
    if key.order != order { return key.order < order }
    return run <= self.run
  }

  /// The place behind the last of a run's `keys` in `range` that comes no later.
  func end(of run: Int, in keys: UnsafeMutableBufferPointer<SortKey>, _ range: Range<Int>) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if covers(keys[middle], of: run) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension SortKey {
  /// The record, where `offset` is its address.
  @inline(__always)
  fileprivate var record: UnsafeRawPointer { UnsafeRawPointer(bitPattern: offset).unsafelyUnwrapped }

  @inline(__always)
  fileprivate var order: UInt64 { record.loadUnaligned(fromByteOffset: 8, as: UInt64.self) }
}
