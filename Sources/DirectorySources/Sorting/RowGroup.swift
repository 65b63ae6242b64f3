internal import CallDirectory

/// The rows of one number while they are collected. Labels point into the merger's windows as long as those stay.
final class RowGroup {
  private var storage: UnsafeMutablePointer<SourceRow>
  private var capacity = 64
  private var count = 0
  private var keptCount = 0
  private var blocks: [UnsafeMutableRawPointer] = []

  init() { storage = .allocate(capacity: capacity) }

  deinit {
    removeAll()
    storage.deallocate()
  }

  /// The rows collected since `removeAll`.
  var rows: UnsafeMutableBufferPointer<SourceRow> { UnsafeMutableBufferPointer(start: storage, count: count) }

  @inline(__always)
  func removeAll() {
    count = 0
    keptCount = 0
    if !blocks.isEmpty { freeBlocks() }
  }

  @inline(__always)
  func append(_ row: SourceRow) {
    if count == capacity { grow() }
    (storage + count).initialize(to: row)
    count += 1
  }

  /// Copies the labels that still lie in windows, because a window is about to move. Costs O(bytes), once per refill.
  func keepLabels() {
    let byteCount = (keptCount..<count).reduce(0) { $0 + storage[$1].label.count }
    if byteCount > 0 {
      let block = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 1)
      blocks.append(block)
      var used = 0
      for index in keptCount..<count {
        let label = storage[index].label
        guard let base = label.baseAddress else { continue }
        (block + used).copyMemory(from: base, byteCount: label.count)
        storage[index].label = UnsafeRawBufferPointer(start: block + used, count: label.count)
        used += label.count
      }
    }
    keptCount = count
  }

  private func grow() {
    let larger = UnsafeMutablePointer<SourceRow>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: storage, count: count)
    storage.deallocate()
    storage = larger
    capacity *= 2
  }

  private func freeBlocks() {
    for block in blocks { block.deallocate() }
    blocks.removeAll()
  }
}
