internal import CallDirectory
internal import Dispatch
internal import Synchronization

/// Hands entries from the thread that places them to another that writes them, in order, so that two processors work.
///
/// Entries are copied into batches; the writer takes one while others are filled. Memory is a constant of 1 MiB. One thread
/// uses a queue; what goes wrong with an output shows at a later `append` or at `finish`.
final class OutputQueue {
  private static let batchCount = 4
  /// More than the longest record takes.
  private static let batchBytes = 1 << 18

  /// Entries on their way: number (8 bytes), provider, with the highest bit for a run (4), length of the label doubled, plus 1
  /// for a block (4), how many numbers a run has (8), label.
  private final class Batch: @unchecked Sendable {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: OutputQueue.batchBytes, alignment: 64)
    var used = 0

    deinit { bytes.deallocate() }
  }

  /// The writing side. Its outputs are used by the queue's thread until the queue has run empty.
  private final class Writer: @unchecked Sendable {
    let outputs: [ProviderOutput?]
    let hasFailed = Atomic(false)
    private(set) var failure: (any Error)?

    init(_ outputs: [ProviderOutput?]) { self.outputs = outputs }

    func write(_ batch: Batch) {
      guard failure == nil else { return }
      do {
        try writeEntries(UnsafeRawBufferPointer(rebasing: batch.bytes[..<batch.used]))
      } catch {
        failure = error
        hasFailed.store(true, ordering: .releasing)
      }
    }

    private func writeEntries(_ bytes: UnsafeRawBufferPointer) throws {
      guard var at = bytes.baseAddress else { return }
      let end = at + bytes.count
      while at < end {
        let number = at.loadUnaligned(as: Int64.self)
        let place = at.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        let provider = Int(place & ~OutputQueue.runFlag)
        let label = at.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
        let count = Int(label >> 1)
        at += OutputQueue.headBytes
        var numbers = 1
        if place != UInt32(truncatingIfNeeded: provider) {
          numbers = at.loadUnaligned(as: Int.self)
          at += OutputQueue.runBytes
        }
        let entry = DirectoryEntry(
          number: PhoneNumber(number), isBlocked: label & 1 == 1,
          label: count == 0 ? nil : UnsafeRawBufferPointer(start: at, count: count))
        if numbers == 1 {
          try outputs[provider]?.append(entry)
        } else {
          try outputs[provider]?.append(EntryRun(entry, count: numbers))
        }
        at += count
      }
    }
  }

  private static let headBytes = 16
  private static let runBytes = 8
  private static let runFlag: UInt32 = 1 << 31

  private let writer: Writer
  private let thread = DispatchQueue(label: "shardctl.output")
  private let free = DispatchSemaphore(value: OutputQueue.batchCount)
  private let batches = (0..<OutputQueue.batchCount).map { _ in Batch() }
  private var current: Batch
  private var position = 0
  /// Bytes of the batch at hand that are filled. Changes with each entry, by one thread and by nothing that is called meanwhile.
  @exclusivity(unchecked) private var used = 0

  /// A queue to `outputs`, which nobody else uses until `finish` or `abort` has returned.
  init(_ outputs: [ProviderOutput?]) {
    writer = Writer(outputs)
    current = batches[0]
    free.wait()
  }

  deinit {
    thread.sync {}
    // Every batch that was handed over has come back; the one at hand has not.
    free.signal()
  }

  /// Hands a run to the output of `provider`. Requires: an output at that position, and a label that is not empty.
  @inline(__always)
  func append(_ provider: Int, _ run: EntryRun) throws {
    let entry = run.entry
    let label = entry.label ?? UnsafeRawBufferPointer(start: nil, count: 0)
    if used &+ Self.headBytes &+ Self.runBytes &+ label.count > Self.batchBytes { try handOver() }
    var at = current.bytes.baseAddress! + used
    at.storeBytes(of: entry.number.rawValue, as: Int64.self)
    let place = UInt32(truncatingIfNeeded: provider) | (run.count > 1 ? Self.runFlag : 0)
    at.storeBytes(of: place, toByteOffset: 8, as: UInt32.self)
    let length = UInt32(truncatingIfNeeded: label.count) &<< 1 | (entry.isBlocked ? 1 : 0)
    at.storeBytes(of: length, toByteOffset: 12, as: UInt32.self)
    at += Self.headBytes
    used &+= Self.headBytes &+ label.count
    if run.count > 1 {
      at.storeBytes(of: run.count, as: Int.self)
      at += Self.runBytes
      used &+= Self.runBytes
    }
    if let bytes = label.baseAddress { at.copyMemory(from: bytes, byteCount: label.count) }
  }

  /// Waits until all is written and ends every output.
  func finish() throws -> [ProviderOutput.Result?] {
    try handOver()
    thread.sync {}
    if let failure = writer.failure { throw failure }
    return try ProviderOutput.finish(writer.outputs)
  }

  /// Gives up: what is on its way is not awaited by anybody, and nothing is left on the disk.
  func abort() {
    thread.sync {}
    for output in writer.outputs { output?.abort() }
  }

  private func handOver() throws {
    let batch = current
    batch.used = used
    thread.async { [writer, free] in
      writer.write(batch)
      free.signal()
    }
    free.wait()
    position = (position + 1) % Self.batchCount
    current = batches[position]
    used = 0
    if writer.hasFailed.load(ordering: .acquiring) {
      thread.sync {}
      if let failure = writer.failure { throw failure }
    }
  }
}
