/// The frame of one coded block: where its parts are, and what is told by its numbers and flags alone. After `init` all
/// parts lie in the block. Loads of eight bytes may reach behind the block, into what always follows it in the file.
package struct CodedBlock {
  /// How a block says which of its rows are in a family.
  package enum Membership: UInt64 {
    case none = 0
    case all = 1
    case bitmap = 2
    case listed = 3
    case allButListed = 4
  }

  static let headBytes = 5
  static let rowsPerSpan = 8

  let base: UnsafeRawPointer
  let byteCount: Int
  let first: Int64
  let count: Int
  /// Bits of a number that stand in the low part.
  let lowWidth: UInt64
  let cutCount: Int
  /// Bytes of a cut: the row and where its number stands.
  let cutStride: Int
  let highBytes: Int
  let high: Int
  let low: Int
  let blocked: Membership
  let blockedAt: Int
  let identified: Membership
  let identifiedAt: Int
  /// Bits of the length of a span of labels.
  let spanWidth: UInt64
  let spans: Int
  let labels: Int

  /// Requires: 1 ≤ count ≤ 128, and 192 bytes of the file behind `bytes`. O(1).
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer, first: Int64, count: Int) throws(ShardBlock.Fault) {
    guard let base = bytes.baseAddress, bytes.count >= Self.headBytes else { throw .tooShort }
    let head = base.word(0)
    let lowWidth = head & 63
    guard lowWidth <= 56, head >> 37 & 7 == 0 else { throw .codedHead }
    guard let blocked = Membership(rawValue: head >> 26 & 7), let identified = Membership(rawValue: head >> 29 & 7)
    else { throw .families }
    self.base = base
    byteCount = bytes.count
    self.first = first
    self.count = count
    self.lowWidth = lowWidth
    cutCount = Int(truncatingIfNeeded: head &>> 6 & 127)
    cutStride = Int(truncatingIfNeeded: head &>> 23 & 7) &+ 2
    highBytes = Int(truncatingIfNeeded: head &>> 13 & 1023)
    self.blocked = blocked
    self.identified = identified
    spanWidth = head &>> 32 & 31
    high = Self.headBytes &+ cutCount &* cutStride
    low = high &+ highBytes
    blockedAt = low &+ ((count &- 1) &* Int(truncatingIfNeeded: lowWidth) &+ 7) &>> 3
    guard blockedAt < bytes.count || (blockedAt == bytes.count && blocked.rawValue < 2) else { throw .tooShort }
    identifiedAt = blockedAt &+ Self.size(of: blocked, base, blockedAt, count)
    guard identifiedAt < bytes.count || (identifiedAt == bytes.count && identified.rawValue < 1) else {
      throw .tooShort
    }
    spans = identifiedAt &+ Self.size(of: identified, base, identifiedAt, count)
    let spanBits = identified == .none ? 0 : (count &- 1) &>> 3 &* Int(truncatingIfNeeded: spanWidth)
    labels = spans &+ (spanBits &+ 7) &>> 3
    guard labels <= bytes.count else { throw .tooShort }
  }

  @inline(__always)
  private static func size(of membership: Membership, _ base: UnsafeRawPointer, _ at: Int, _ count: Int) -> Int {
    switch membership {
    case .none, .all: 0
    case .bitmap: (count &+ 7) &>> 3
    case .listed, .allButListed: 1 &+ Int(base.load(fromByteOffset: at, as: UInt8.self))
    }
  }

  // MARK: Families

  @inline(__always)
  func isBlocked(_ row: Int) -> Bool { isMember(blocked, blockedAt, row) }

  @inline(__always)
  func isIdentified(_ row: Int) -> Bool { isMember(identified, identifiedAt, row) }

  @inline(__always)
  private func isMember(_ membership: Membership, _ at: Int, _ row: Int) -> Bool {
    switch membership {
    case .none: return false
    case .all: return true
    case .bitmap: return base.load(fromByteOffset: at &+ row &>> 3, as: UInt8.self) &>> UInt8(row & 7) & 1 != 0
    case .listed, .allButListed:
      var isListed = false
      let end = at &+ Int(base.load(fromByteOffset: at, as: UInt8.self))
      var entry = at &+ 1
      while entry <= end {
        if Int(base.load(fromByteOffset: entry, as: UInt8.self)) == row { isListed = true }
        entry &+= 1
      }
      return isListed == (membership == .listed)
    }
  }

  /// The rows of a family as bits.
  func rows(blocking: Bool) -> ShardRowFlags {
    let membership = blocking ? blocked : identified
    let at = blocking ? blockedAt : identifiedAt
    var flags = ShardRowFlags.none
    switch membership {
    case .none: return .none
    case .all: return .all
    case .bitmap:
      for byte in 0..<((count + 7) / 8) { flags.set(byte: byte, base.load(fromByteOffset: at + byte, as: UInt8.self)) }
    case .listed, .allButListed:
      for entry in 0..<Int(base.load(fromByteOffset: at, as: UInt8.self)) {
        flags.insert(Int(base.load(fromByteOffset: at + 1 + entry, as: UInt8.self)) & 127)
      }
      if membership == .allButListed { flags.invert() }
    }
    return flags
  }

  // MARK: Numbers

  /// Where the number of the row of a cut stands, from the block's first number.
  @inline(__always)
  func cutOffset(_ cut: Int) -> UInt64 {
    let width = UInt64(truncatingIfNeeded: cutStride &- 1) &* 8
    return base.word(Self.headBytes &+ cut &* cutStride &+ 1) & (UInt64.max &>> (64 &- width))
  }

  /// The row of a cut, as stored.
  @inline(__always)
  func cutRow(_ cut: Int) -> Int { Int(base.load(fromByteOffset: Self.headBytes &+ cut &* cutStride, as: UInt8.self)) }

  /// The low bits of a row. Requires: 1 ≤ row < count.
  @inline(__always)
  func lowBits(_ row: Int) -> UInt64 {
    let bit = (row &- 1) &* Int(truncatingIfNeeded: lowWidth)
    return base.word(low &+ bit &>> 3) &>> UInt64(bit & 7) & ((1 &<< lowWidth) &- 1)
  }

  /// Where a row stands once the cuts are taken out. Requires: 0 ≤ row < count. O(bytes of the bitmap).
  @inline(__always)
  func place(of row: Int) -> UInt64 {
    guard row > 0 else { return 0 }
    // The row's one is the row-th one of the bitmap.
    var rest = row &- 1
    var at = 0
    while at < highBytes {
      let word = highWord(at)
      let ones = word.nonzeroBitCount
      if rest < ones {
        let bit = at &* 8 &+ word.position(ofOne: rest)
        return UInt64(truncatingIfNeeded: bit &- row &+ 1) &<< lowWidth | lowBits(row)
      }
      rest &-= ones
      at &+= 8
    }
    return 0
  }

  /// Eight bytes of the bitmap; zero behind its end.
  @inline(__always)
  func highWord(_ at: Int) -> UInt64 {
    let word = base.word(high &+ at)
    let left = highBytes &- at
    return left >= 8 ? word : word & ((1 &<< UInt64(truncatingIfNeeded: left &* 8)) &- 1)
  }

  func number(of row: Int) -> Int64 {
    var cut = cutCount &- 1
    while cut >= 0, cutRow(cut) > row { cut &-= 1 }
    let place = place(of: row)
    guard cut >= 0 else { return first &+ Int64(bitPattern: place) }
    let start = min(cutRow(cut), count &- 1)
    return first &+ Int64(bitPattern: cutOffset(cut) &+ place &- self.place(of: start))
  }

  @inline(__always)
  func row(atOrAfter number: Int64) -> Int { search(number).row }

  @inline(__always)
  func row(of number: Int64) -> Int? {
    let found = search(number)
    return found.isExact && found.row < count ? found.row : nil
  }

  /// The first row with a number ≥ `number`, and whether it has that number.
  @inline(__always)
  private func search(_ number: Int64) -> (row: Int, isExact: Bool) {
    guard number > first else { return (0, number == first) }
    let distance = UInt64(bitPattern: number) &- UInt64(bitPattern: first)
    // The piece between two cuts in which it would stand.
    var cut = 0
    while cut < cutCount, cutOffset(cut) <= distance { cut &+= 1 }
    let end = cut < cutCount ? min(cutRow(cut), count) : count
    var target = distance
    if cut > 0 {
      let row = min(cutRow(cut &- 1), count &- 1)
      let start = cutOffset(cut &- 1)
      if start == distance { return (row, true) }
      target = distance &- start &+ place(of: row)
    }
    let upper = target &>> lowWidth
    guard upper <= 8192 else { return (end, false) }
    let zeros = Int(truncatingIfNeeded: upper)
    // Rows whose high part is `upper` stand behind as many zeros.
    var bit = 0
    if zeros > 0 {
      var rest = zeros &- 1
      var at = 0
      while true {
        guard at < highBytes else { return (end, false) }
        let word = ~highWord(at)
        let clear = word.nonzeroBitCount
        if rest < clear {
          bit = at &* 8 &+ word.position(ofOne: rest) &+ 1
          break
        }
        rest &-= clear
        at &+= 8
      }
    }
    var row = bit &- zeros &+ 1
    let lower = target & ((1 &<< lowWidth) &- 1)
    while row < end, bit &>> 3 < highBytes,
      base.load(fromByteOffset: high &+ bit &>> 3, as: UInt8.self) &>> UInt8(truncatingIfNeeded: bit & 7) & 1 != 0
    {
      let bits = lowBits(row)
      if bits >= lower { return (row, bits == lower) }
      row &+= 1
      bit &+= 1
    }
    return (min(max(row, 0), end), false)
  }
}

extension UnsafeRawPointer {
  /// Eight bytes, little-endian.
  @inline(__always)
  func word(_ offset: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

extension UInt64 {
  /// The position of the one that has `rank` ones below it. Requires: rank < number of ones.
  @inline(__always)
  func position(ofOne rank: Int) -> Int {
    // Ones up to and with each byte, then the first byte where there are more than `rank`.
    var sums = self &- (self &>> 1 & 0x5555_5555_5555_5555)
    sums = (sums & 0x3333_3333_3333_3333) &+ (sums &>> 2 & 0x3333_3333_3333_3333)
    sums = (sums &+ sums &>> 4) & 0x0F0F_0F0F_0F0F_0F0F
    sums = sums &* 0x0101_0101_0101_0101
    let over = (sums | 0x8080_8080_8080_8080) &- UInt64(truncatingIfNeeded: rank &+ 1) &* 0x0101_0101_0101_0101
    let byte = (over & 0x8080_8080_8080_8080).trailingZeroBitCount &- 7
    var rest = rank &- Int(truncatingIfNeeded: (sums &<< 8) &>> UInt64(truncatingIfNeeded: byte) & 0xFF)
    var bits = self &>> UInt64(truncatingIfNeeded: byte)
    while rest > 0 {
      bits &= bits &- 1
      rest &-= 1
    }
    return byte &+ bits.trailingZeroBitCount
  }
}
