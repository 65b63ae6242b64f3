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

  /// Whether no record is left.
  var isAtEnd: Bool { record == end && remaining == 0 }

  /// Steps over the record. Returns whether the next one, if any, needs `refill`.
  @inline(__always)
  mutating func step() -> Bool {
    record += RowRecord.byteCount(at: record)
    if remaining == 0 { return false }
    let available = end - record
    return available < RowRecord.fixedBytes || available < RowRecord.byteCount(at: record)
  }

  /// Moves the window so that the record under the cursor lies in it.
  mutating func refill() throws(SystemError) {
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
