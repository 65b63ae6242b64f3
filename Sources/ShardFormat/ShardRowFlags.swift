/// Which of up to 128 rows are in a family.
package struct ShardRowFlags {
  private var low: UInt64
  private var high: UInt64

  package static let none = ShardRowFlags(low: 0, high: 0)
  package static let all = ShardRowFlags(low: .max, high: .max)

  private init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  init(_ block: ShardBlock) {
    switch block.blocked {
    case .none: self = .none
    case .all: self.init(low: .max, high: .max)
    case .some:
      self = .none
      for byte in 0..<((block.count + 7) / 8) { set(byte: byte, block.bytes[ShardBlock.headBytes + byte]) }
    }
  }

  /// Puts the eight flags of a byte in. Requires: they are not set, 0 ≤ byte < 16.
  mutating func set(byte: Int, _ bits: UInt8) {
    if byte < 8 { low |= UInt64(bits) << UInt64(byte * 8) } else { high |= UInt64(bits) << UInt64(byte * 8 - 64) }
  }

  /// Requires: 0 ≤ row < 128.
  package mutating func insert(_ row: Int) {
    if row < 64 { low |= 1 << UInt64(row) } else { high |= 1 << UInt64(row - 64) }
  }

  mutating func invert() {
    low = ~low
    high = ~high
  }

  /// Requires: 0 ≤ row < 128.
  @inline(__always)
  package subscript(row: Int) -> Bool { (row < 64 ? low : high) &>> UInt64(row & 63) & 1 != 0 }

  /// How many of the first `rows` are. Requires: 0 ≤ rows ≤ 128.
  package func count(in rows: Int) -> Int {
    let lowMask: UInt64 = rows >= 64 ? .max : (1 << UInt64(rows)) - 1
    let highMask: UInt64 = rows <= 64 ? 0 : rows == 128 ? .max : (1 << UInt64(rows - 64)) - 1
    return (low & lowMask).nonzeroBitCount + (high & highMask).nonzeroBitCount
  }
}
