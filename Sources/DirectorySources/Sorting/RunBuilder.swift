internal import SystemSupport

/// Collects the records of one thread and hands them on as a sorted run whenever its share of memory is full.
///
/// A thread takes its chunks in ascending order, so equal numbers are collected in the order they are delivered in, and
/// a stable sort by number is all it takes.
struct RunBuilder {
  private let store: RunStore
  private let share: Int
  private let records: MemoryBlock
  private let keys: MemoryBlock
  private let scratch: MemoryBlock
  private let output: MemoryBlock
  private var used = 0
  private var count = 0

  /// A builder that uses at most `share` bytes, or room for one longest record when that is more.
  init(store: RunStore, share: Int) throws(SystemError) {
    self.store = store
    self.share = share
    let perRow = RowRecord.fixedBytes + 2 * MemoryLayout<SortKey>.stride
    let keyBytes = (share / perRow + 1) * MemoryLayout<SortKey>.stride
    records = try MemoryBlock(byteCount: max(share, RowRecord.maximumBytes), isHot: true)
    keys = try MemoryBlock(byteCount: keyBytes, isHot: true)
    scratch = try MemoryBlock(byteCount: keyBytes, isHot: true)
    output = try MemoryBlock(byteCount: max(min(1 << 20, share / 8), RowRecord.maximumBytes))
  }

  /// Adds a record. The flags in `order` say which of `score`, `area` and `last` are kept.
  @inline(__always)
  mutating func append(
    number: Int64, order: UInt64, score: Double, area: UInt32, last: Int64 = 0, label: UnsafeRawBufferPointer
  ) throws(SourceError) {
    let size = RowRecord.fixedBytes + RowRecord.optionalBytes + label.count
    let weight = used + size + (count + 1) * 2 * MemoryLayout<SortKey>.stride
    if weight > share, count > 0 { try flush() }
    guard let base = records.bytes.baseAddress, let keyBase = keys.bytes.baseAddress else { return }
    let record = base + used
    record.storeBytes(of: UInt64(bitPattern: number), as: UInt64.self)
    record.storeBytes(of: order, toByteOffset: 8, as: UInt64.self)
    record.storeBytes(of: UInt16(truncatingIfNeeded: label.count), toByteOffset: 16, as: UInt16.self)
    var end = RowRecord.fixedBytes
    if order & RowRecord.scoreFlag != 0 {
      record.storeBytes(of: score, toByteOffset: end, as: Double.self)
      end += 8
    }
    if order & RowRecord.areaFlag != 0 {
      record.storeBytes(of: area, toByteOffset: end, as: UInt32.self)
      end += 4
    }
    if order & RowRecord.lastFlag != 0 {
      record.storeBytes(of: last, toByteOffset: end, as: Int64.self)
      end += 8
    }
    if let text = label.baseAddress { (record + end).copyShort(from: text, byteCount: label.count) }
    keyBase.storeBytes(
      of: SortKey(number: UInt64(bitPattern: number), offset: used),
      toByteOffset: count * MemoryLayout<SortKey>.stride, as: SortKey.self)
    used += end + label.count
    count += 1
  }

  /// Sorts what is collected and hands it to the store.
  mutating func flush() throws(SourceError) {
    let collected = UnsafeRawBufferPointer(rebasing: records.bytes[..<used])
    let sorted = RadixSort.sort(Self.bound(keys, count), scratch: Self.bound(scratch, count))
    used = 0
    count = 0
    try store.add(collected, in: sorted, buffer: output.bytes)
  }

  private static func bound(_ memory: MemoryBlock, _ count: Int) -> UnsafeMutableBufferPointer<SortKey> {
    UnsafeMutableBufferPointer(rebasing: memory.bytes.assumingMemoryBound(to: SortKey.self)[..<count])
  }
}
