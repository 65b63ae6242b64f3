/// The frame of one plain block: where its parts are. After `init` the flags, the numbers and the label ends lie in the
/// block; the ends themselves are checked where they are used.
struct ShardBlock {
  /// What is wrong with a block, plain or coded.
  enum Fault: Error {
    case offsets, tooShort, count, numberWidth, endWidth, families, labelBytes, labelEnds
    case codedHead, labels, spans, numbers, checksum
  }

  /// Which rows of a block are in a family. `some` is told by the bitmap for the blocking family, by the label ends for the
  /// identification family.
  enum Membership: UInt8 {
    case none = 0
    case all = 1
    case some = 2
  }

  let bytes: UnsafeRawBufferPointer
  let first: Int64
  let count: Int
  let numberWidth: Int
  /// 0 when no row of the block has a label.
  let endWidth: Int
  let blocked: Membership
  let identified: Membership
  let numbers: Int
  let ends: Int
  let labels: Int

  static let headBytes = 4

  /// Requires: 1 ≤ count ≤ 128. O(1).
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer, first: Int64, count: Int) throws(Fault) {
    guard bytes.count >= Self.headBytes else { throw .tooShort }
    let head: UInt32 = bytes.little(0)
    guard Int(head & 0xFF) == count else { throw .count }
    let numberWidth = Int(head >> 8 & 0xFF)
    guard numberWidth <= 8, numberWidth.nonzeroBitCount == 1 else { throw .numberWidth }
    let endWidth = Int(head >> 16 & 0xFF)
    guard endWidth == 0 || endWidth == 2 || endWidth == 4 else { throw .endWidth }
    let families = UInt8(head >> 24)
    guard families < 16, let blocked = Membership(rawValue: families & 3),
      let identified = Membership(rawValue: families >> 2), (identified == .none) == (endWidth == 0)
    else { throw .families }
    self.bytes = bytes
    self.first = first
    self.count = count
    self.numberWidth = numberWidth
    self.endWidth = endWidth
    self.blocked = blocked
    self.identified = identified
    numbers = Self.headBytes &+ (blocked == .some ? (count &+ 7) &>> 3 : 0)
    ends = numbers &+ count &* numberWidth
    labels = ends &+ count &* endWidth
    guard labels <= bytes.count else { throw .tooShort }
  }

  /// Requires: 0 ≤ row < count.
  @inline(__always)
  func number(of row: Int) -> Int64 {
    let distance: UInt64 =
      switch numberWidth {
      case 1: UInt64(bytes[numbers &+ row])
      case 2: UInt64(bytes.little(numbers &+ row &* 2, as: UInt16.self))
      case 4: UInt64(bytes.little(numbers &+ row &* 4, as: UInt32.self))
      default: bytes.little(numbers &+ row &* 8, as: UInt64.self)
      }
    return first &+ Int64(bitPattern: distance)
  }

  /// Requires: 0 ≤ row < count.
  @inline(__always)
  func isBlocked(_ row: Int) -> Bool {
    switch blocked {
    case .none: false
    case .all: true
    case .some: bytes[Self.headBytes &+ row &>> 3] &>> UInt8(row & 7) & 1 != 0
    }
  }

  /// Where the label of `row` ends in the label bytes, as stored. Requires: −1 ≤ row < count, endWidth > 0.
  @inline(__always)
  func labelEnd(_ row: Int) -> Int {
    if row < 0 { return 0 }
    return endWidth == 2
      ? Int(bytes.little(ends &+ row &* 2, as: UInt16.self)) : Int(bytes.little(ends &+ row &* 4, as: UInt32.self))
  }

  /// The label of `row`; nil when it has none, or when the ends are damaged. Requires: 0 ≤ row < count.
  @inline(__always)
  func label(of row: Int) -> UnsafeRawBufferPointer? {
    guard endWidth != 0 else { return nil }
    let start = labelEnd(row &- 1)
    let end = labelEnd(row)
    guard start < end, end <= bytes.count &- labels else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[(labels &+ start)..<(labels &+ end)])
  }

  /// Whether `row` is in the identification family, without touching labels. Requires: 0 ≤ row < count.
  @inline(__always)
  func isIdentified(_ row: Int) -> Bool {
    switch identified {
    case .none: false
    case .all: true
    case .some: labelEnd(row &- 1) < labelEnd(row)
    }
  }

  /// The first row with a number ≥ `number`, `count` when there is none. O(log count).
  @inline(__always)
  func row(atOrAfter number: Int64) -> Int {
    guard number > first else { return 0 }
    let distance = UInt64(bitPattern: number) &- UInt64(bitPattern: first)
    switch numberWidth {
    case 1: return search(distance, UInt8.self)
    case 2: return search(distance, UInt16.self)
    case 4: return search(distance, UInt32.self)
    default: return search(distance, UInt64.self)
    }
  }

  /// The first row with exactly this number, nil when there is none. O(log count).
  @inline(__always)
  func row(of number: Int64) -> Int? {
    let row = row(atOrAfter: number)
    return row < count && self.number(of: row) == number ? row : nil
  }

  /// By halves: counting all distances below in one go was slower, as it touches every cache line of the block.
  @inline(__always)
  private func search<W: FixedWidthInteger & UnsignedInteger>(_ distance: UInt64, _: W.Type) -> Int {
    guard let distance = W(exactly: distance) else { return count }
    var low = 0
    var size = count
    while size > 1 {
      let half = size &>> 1
      let probe: W = bytes.little(numbers &+ (low &+ half &- 1) &* MemoryLayout<W>.size)
      low = probe < distance ? low &+ half : low
      size &-= half
    }
    let last: W = bytes.little(numbers &+ low &* MemoryLayout<W>.size)
    return last < distance ? low &+ 1 : low
  }
}
