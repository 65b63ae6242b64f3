internal import Dispatch
internal import Synchronization
internal import SystemSupport

/// All records of sorted runs in order, one after the other: always stands on the least one that is left.
///
/// Records are merged into batches. Where there is much to merge, a thread of its own does it a few batches ahead, so
/// that merging and what is done with the records share two cores.
struct MergedRecords {
  /// A number no record has: there are no more records.
  static let exhausted = UInt64.max

  private let source: any BatchSource
  private var batch: Batch
  private var end: UnsafeRawPointer
  /// The record under the cursor, in a batch that stays until `advance` has called `beforeRefill`.
  private(set) var record: UnsafeRawPointer
  /// The number of that record, or `exhausted`.
  private(set) var number: UInt64 = Self.exhausted

  /// The records of `runs`, those on disk read through windows of `window` bytes, in batches of `batchBytes`. `isAhead`
  /// asks for a thread that merges ahead.
  init(_ runs: [SortedRun], window: Int, batch batchBytes: Int, isAhead: Bool) throws(SystemError) {
    source =
      isAhead ? try MergeAhead(runs, window: window, batch: batchBytes) : try OwnMerge(runs, window: window)
    batch = try Batch(byteCount: batchBytes)
    record = UnsafeRawPointer(batch.base)
    end = record
    try refill()
  }

  /// The order key of the record.
  @inline(__always)
  var order: UInt64 { record.loadUnaligned(fromByteOffset: 8, as: UInt64.self) }

  /// Steps to the next record. `beforeRefill` is called when bytes handed out before are about to be overwritten.
  @inline(__always)
  mutating func advance(beforeRefill: () -> Void) throws(SystemError) {
    record += RowRecord.byteCount(at: record)
    if record == end {
      beforeRefill()
      try refill()
    } else {
      number = record.loadUnaligned(as: UInt64.self)
    }
  }

  @inline(never)
  private mutating func refill() throws(SystemError) {
    batch = try source.next(instead: batch)
    record = UnsafeRawPointer(batch.base)
    end = record + batch.count
    number = batch.count > 0 ? record.loadUnaligned(as: UInt64.self) : Self.exhausted
  }
}

/// Whole records, one behind the other.
final class Batch: Sendable {
  private let memory: MemoryBlock
  private let used = Atomic<Int>(0)

  init(byteCount: Int) throws(SystemError) { memory = try MemoryBlock(byteCount: byteCount) }

  /// Where the records begin.
  var base: UnsafeMutableRawPointer { memory.bytes.baseAddress.unsafelyUnwrapped }
  /// Bytes of the records.
  var count: Int { used.load(ordering: .relaxed) }

  /// Puts the next records of `merger` in place of what is there; none at the end.
  func fill(from merger: inout RunMerger) throws(SystemError) {
    used.store(try merger.fill(memory.bytes), ordering: .relaxed)
  }
}

/// Gives batches in order.
private protocol BatchSource {
  /// The next batch, empty at the end, in exchange for one that has been read.
  func next(instead batch: Batch) throws(SystemError) -> Batch
}

/// A merge by the thread that reads the records.
private final class OwnMerge: BatchSource {
  private var merger: RunMerger

  init(_ runs: [SortedRun], window: Int) throws(SystemError) { merger = try RunMerger.opening(runs, window: window) }

  func next(instead batch: Batch) throws(SystemError) -> Batch {
    try batch.fill(from: &merger)
    return batch
  }
}

/// A merge by a thread that works while earlier batches are read. It ends with the last batch, with an error, or when
/// this object goes away.
private final class MergeAhead: BatchSource {
  private final class Shared: Sendable {
    struct State {
      var empty: [Batch] = []
      var filled: [Batch] = []
      var error: SystemError?
      var isStopped = false
    }

    let state = Mutex(State())
    // Made without a count and raised: a semaphore may not go away below the count it was made with.
    let empty = DispatchSemaphore(value: 0)
    let filled = DispatchSemaphore(value: 0)
  }

  /// Batches beside the one that is being read.
  private static let depth = 3

  private let shared = Shared()

  init(_ runs: [SortedRun], window: Int, batch batchBytes: Int) throws(SystemError) {
    for _ in 0..<Self.depth { give(try Batch(byteCount: batchBytes)) }
    DispatchQueue.global(qos: .userInitiated).async { [shared] in
      do throws(SystemError) {
        try Self.merge(runs, window: window, shared)
      } catch {
        shared.state.withLock { $0.error = error }
        shared.filled.signal()
      }
    }
  }

  deinit {
    shared.state.withLock { $0.isStopped = true }
    shared.empty.signal()
  }

  func next(instead batch: Batch) throws(SystemError) -> Batch {
    give(batch)
    shared.filled.wait()
    let (next, error) = shared.state.withLock { state in
      (state.filled.isEmpty ? nil : state.filled.removeFirst(), state.error)
    }
    if let next { return next }
    throw error ?? SystemError(operation: "merge", path: "", errno: SystemError.inputOutput)
  }

  private func give(_ batch: Batch) {
    shared.state.withLock { $0.empty.append(batch) }
    shared.empty.signal()
  }

  private static func merge(_ runs: [SortedRun], window: Int, _ shared: Shared) throws(SystemError) {
    var merger = try RunMerger.opening(runs, window: window)
    while true {
      shared.empty.wait()
      let next: Batch? = shared.state.withLock { $0.isStopped ? nil : $0.empty.removeFirst() }
      guard let batch = next else { return }
      try batch.fill(from: &merger)
      shared.state.withLock { $0.filled.append(batch) }
      shared.filled.signal()
      if batch.count == 0 { return }
    }
  }
}
