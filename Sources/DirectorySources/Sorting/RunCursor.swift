internal import SystemSupport

/// A position in a sorted run: the record under it lies wholly in memory.
///
/// A run in memory is read where it lies. A run on disk is read through a window, which `refill` moves; what was read
/// before then points to other bytes.
struct RunCursor {
  /// The record under the cursor.
  private(set) var record: UnsafeRawPointer
  private var end: UnsafeRawPointer
  private let window: UnsafeMutableRawBufferPointer
  private let file: OpenFile?
  private var offset: Int
  private var remaining: Int

  /// A cursor on the first record of `run`; `window` (at least one longest record) is used when the run is on disk.
  init(_ run: SortedRun, window: UnsafeMutableRawBufferPointer) throws(SystemError) {
    self.window = window
    switch run.place {
    case .memory(let block):
      record = UnsafeRawPointer(block.bytes.baseAddress!)
      end = record + run.byteCount
      file = nil
      offset = 0
      remaining = 0
    case .file(let file, let offset):
      record = UnsafeRawPointer(window.baseAddress!)
      end = record
      self.file = file
      self.offset = offset
      remaining = run.byteCount
      try refill()
    }
  }

  /// Appends the keys of up to `limit` records from the cursor on to `keys`, with addresses for offsets, and moves `end`
  /// behind them: of all that lie wholly in memory. Returns whether there are more. The addresses hold until the window
  /// moves.
  @inline(__always)
  func lookAhead(_ limit: Int, keys: UnsafeMutableBufferPointer<SortKey>, from place: inout Int) -> Bool {
    var position = record
    let last = place + limit
    while place < last, isWhole(at: position) {
      keys[place] = SortKey(number: position.loadUnaligned(as: UInt64.self), offset: Int(bitPattern: position))
      position += RowRecord.byteCount(at: position)
      place += 1
    }
    return position < end || remaining > 0
  }

  @inline(__always)
  private func isWhole(at position: UnsafeRawPointer) -> Bool {
    let available = end - position
    // A run in memory holds nothing but whole records.
    if file == nil { return available > 0 }
    return available >= RowRecord.fixedBytes && available >= RowRecord.byteCount(at: position)
  }

  /// Steps behind `record`, one of those that were looked at.
  mutating func step(behind record: UnsafeRawPointer) { self.record = record + RowRecord.byteCount(at: record) }

  /// Moves the window when most of it has been passed.
  mutating func refillWhenLow() throws(SystemError) {
    if remaining > 0, end - record < window.count / 4 || !isWhole(at: record) { try refill() }
  }

  /// Moves the window so that the record under the cursor lies in it.
  private mutating func refill() throws(SystemError) {
    guard let file, let base = window.baseAddress else { return }
    let kept = end - record
    base.copyMemory(from: record, byteCount: kept)
    let wanted = min(remaining, window.count - kept)
    let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: window[kept..<kept + wanted]), at: offset)
    guard count == wanted else {
      throw SystemError(operation: Syscall.Operation.read.rawValue, path: file.path, errno: SystemError.inputOutput)
    }
    offset += count
    remaining -= count
    record = UnsafeRawPointer(base)
    end = record + kept + count
  }
}
