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

  /// `checksSpans`: whether the lengths by which single labels are found are compared with the labels.
  init(_ shard: Shard, checksSpans: Bool = false) {
    self.shard = shard
    self.checksSpans = checksSpans
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
  /// A number with several labels (R-INC-5) comes once for each, the label that is shown first; only its first row can be
  /// blocked. Throws when a block is damaged; the next call then goes on behind it.
  public func next() throws(ShardError) -> DirectoryEntry? {
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

  /// Makes the first row with a number ≥ `number` the next one. O(log n). Throws when the block it stands in is damaged; the
  /// place of the cursor is then the end.
  public func seek(to number: PhoneNumber) throws(ShardError) {
    row = 0
    count = 0
    block = shard.content.blockCount
    guard shard.content.blockCount > 0 else { return }
    try decode(shard.content.block(for: number.rawValue))
    while row < count, numbers[row] < number.rawValue { row &+= 1 }
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

  /// Calls `body` with every row in ascending order, as `ShardCursor.next()` gives them.
  public func forEachEntry(_ body: (DirectoryEntry) throws -> Void) throws {
    let cursor = makeCursor()
    while let entry = try cursor.next() { try body(entry) }
  }
}
