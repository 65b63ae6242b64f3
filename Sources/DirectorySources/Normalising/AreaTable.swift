internal import Synchronization

/// The area texts of a run. Threads number them as they meet them; the final order, by bytes, is settled at the end, so
/// that it does not depend on timing.
final class AreaTable: Sendable {
  /// The texts and, for each number given out, its place among them.
  struct Snapshot: Sendable {
    var texts: [String]
    var order: [UInt32]
  }

  private let table = Mutex(ByteStringTable())
  private let limit: Int

  /// A table for at most `limit` bytes of text.
  init(limit: Int) { self.limit = limit }

  /// The number of `text`; nil when the table is full. Any thread.
  func number(of text: UnsafeRawBufferPointer) -> UInt32? {
    table.withLock { table in
      if let index = table.index(of: text) { return UInt32(index) }
      // 32 bytes stand for the table's own cost per text.
      guard table.bytes.count + text.count + (table.count + 1) * 32 <= limit else { return nil }
      table.insert(text)
      return UInt32(table.count - 1)
    }
  }

  /// All texts in byte order behind the empty one.
  func snapshot() -> Snapshot {
    table.withLock { table in
      let texts = (0..<table.count).map { table.withText($0) { String(decoding: $0, as: UTF8.self) } }
      let sorted = texts.indices.sorted { texts[$0].utf8.lexicographicallyPrecedes(texts[$1].utf8) }
      var order = [UInt32](repeating: 0, count: texts.count)
      for (place, number) in sorted.enumerated() { order[number] = UInt32(place + 1) }
      return Snapshot(texts: [""] + sorted.map { texts[$0] }, order: order)
    }
  }
}

/// What one thread has learnt of the table: spares the lock for texts met before.
struct AreaCache {
  private let table: AreaTable
  private var known = ByteStringTable()
  private var numbers: [UInt32] = []
  private let limit: Int

  /// A cache of at most `limit` bytes of text.
  init(_ table: AreaTable, limit: Int) {
    self.table = table
    self.limit = limit
  }

  /// The number of `text` if this thread has met it.
  @inline(__always)
  func known(_ text: UnsafeRawBufferPointer) -> UInt32? { known.index(of: text).map { numbers[$0] } }

  /// The number of `text`, from the table all threads share; nil when that is full.
  mutating func number(of text: UnsafeRawBufferPointer) -> UInt32? {
    guard let number = table.number(of: text) else { return nil }
    if known.bytes.count + text.count + numbers.count * 32 <= limit {
      known.insert(text)
      numbers.append(number)
    }
    return number
  }
}
