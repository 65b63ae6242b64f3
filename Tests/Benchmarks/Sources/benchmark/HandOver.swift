import CallDirectory
import Dispatch
import ShardWriting

/// Hands entries to a thread that writes them, in batches, as a publisher does.
final class HandOver {
  private final class Batch: @unchecked Sendable {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: HandOver.batchBytes, alignment: 64)
    var used = 0

    deinit { bytes.deallocate() }
  }

  /// Used by the writing thread alone until that has run empty.
  private final class Outputs: @unchecked Sendable {
    let writers: [ShardWriter]
    var failure: (any Error)?

    init(_ writers: [ShardWriter]) { self.writers = writers }

    func write(_ batch: Batch) {
      guard failure == nil else { return }
      do {
        var at = UnsafeRawPointer(batch.bytes.baseAddress!)
        let end = at + batch.used
        while at < end {
          let label = at.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
          let count = Int(label >> 1)
          try writers[Int(at.loadUnaligned(fromByteOffset: 8, as: UInt32.self))].append(
            DirectoryEntry(
              number: PhoneNumber(at.loadUnaligned(as: Int64.self)), isBlocked: label & 1 == 1,
              label: count == 0 ? nil : UnsafeRawBufferPointer(start: at + 16, count: count)))
          at += 16 + count
        }
      } catch {
        failure = error
      }
    }
  }

  private static let batchBytes = 1 << 18
  private let outputs: Outputs
  private let thread = DispatchQueue(label: "benchmark.output")
  private let free = DispatchSemaphore(value: 4)
  private let batches = (0..<4).map { _ in Batch() }
  private var position = 0
  private var current: Batch

  init(_ writers: [ShardWriter]) {
    outputs = Outputs(writers)
    current = batches[0]
    free.wait()
  }

  deinit {
    thread.sync {}
    free.signal()
  }

  @inline(__always)
  func append(_ writer: Int, _ entry: DirectoryEntry) throws {
    let label = entry.label ?? UnsafeRawBufferPointer(start: nil, count: 0)
    if current.used + 16 + label.count > Self.batchBytes { try flush() }
    let at = current.bytes.baseAddress! + current.used
    at.storeBytes(of: entry.number.rawValue, as: Int64.self)
    at.storeBytes(of: UInt32(writer), toByteOffset: 8, as: UInt32.self)
    at.storeBytes(of: UInt32(label.count) << 1 | (entry.isBlocked ? 1 : 0), toByteOffset: 12, as: UInt32.self)
    if let bytes = label.baseAddress { (at + 16).copyMemory(from: bytes, byteCount: label.count) }
    current.used += 16 + label.count
  }

  func finish() throws {
    try flush()
    thread.sync {}
    if let failure = outputs.failure { throw failure }
  }

  private func flush() throws {
    let batch = current
    thread.async { [outputs, free] in
      outputs.write(batch)
      free.signal()
    }
    free.wait()
    position = (position + 1) % 4
    current = batches[position]
    current.used = 0
  }
}
