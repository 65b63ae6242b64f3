extension CodedBlock {
  /// Writes all `count` numbers. Throws when the bitmap has not as many ones as there are rows, or a cut no row.
  func decodeNumbers(into target: UnsafeMutablePointer<Int64>) throws(ShardBlock.Fault) {
    target[0] = first
    var row = 1
    var at = 0
    let mask: UInt64 = (1 &<< lowWidth) &- 1
    let step = Int(truncatingIfNeeded: lowWidth)
    var lowBit = low &* 8
    while at < highBytes {
      var word = highWord(at)
      while word != 0 {
        guard row < count else { throw .numbers }
        let upper = UInt64(truncatingIfNeeded: at &* 8 &+ word.trailingZeroBitCount &- row &+ 1)
        word &= word &- 1
        let lower = base.word(lowBit &>> 3) &>> UInt64(truncatingIfNeeded: lowBit & 7) & mask
        lowBit &+= step
        target[row] = first &+ Int64(bitPattern: upper &<< lowWidth | lower)
        row &+= 1
      }
      at &+= 8
    }
    guard row == count else { throw .numbers }
    var before = 0
    for cut in 0..<cutCount {
      let start = cutRow(cut)
      let end = cut &+ 1 < cutCount ? cutRow(cut &+ 1) : count
      guard start > before, start < end, end <= count else { throw .numbers }
      before = start
      let shift = first &+ Int64(bitPattern: cutOffset(cut)) &- target[start]
      for row in start..<end { target[row] &+= shift }
    }
  }

  /// Throws unless each of the numbers is found where it stands, lists of rows ascend, and bits without a meaning are zero:
  /// what is told of the block does not depend on how it is asked. `numbers` are those that `decodeNumbers` gave.
  func check(_ numbers: UnsafeMutablePointer<Int64>) throws(ShardBlock.Fault) {
    var firstOfNumber = 0
    for row in 0..<count {
      if row > 0, numbers[row] != numbers[row - 1] { firstOfNumber = row }
      guard number(of: row) == numbers[row], self.row(of: numbers[row]) == firstOfNumber,
        self.row(atOrAfter: numbers[row]) == firstOfNumber
      else { throw .numbers }
    }
    let lowBitCount = (count - 1) * Int(lowWidth)
    guard hasZeros(from: low * 8 + lowBitCount, to: blockedAt) else { throw .numbers }
    for (membership, at) in [(blocked, blockedAt), (identified, identifiedAt)] {
      switch membership {
      case .none, .all: continue
      case .bitmap: guard hasZeros(from: at * 8 + count, to: at + (count + 7) / 8) else { throw .families }
      case .listed, .allButListed:
        var previous = -1
        let listed = Int(base.load(fromByteOffset: at, as: UInt8.self))
        guard (1..<count).contains(listed) else { throw .families }
        for entry in 1...listed {
          let row = Int(base.load(fromByteOffset: at + entry, as: UInt8.self))
          guard row > previous, row < count else { throw .families }
          previous = row
        }
      }
    }
    let members = [(blocked, rows(blocking: true)), (identified, rows(blocking: false))]
    for (membership, flags) in members where membership == .bitmap {
      let rows = (0..<count).count { flags[$0] }
      guard rows > 0, rows < count else { throw .families }
    }
    guard identified != .none || (spanWidth == 0 && labels == byteCount) else { throw .spans }
    let spanBits = identified == .none ? 0 : (count - 1) / 8 * Int(spanWidth)
    guard hasZeros(from: spans * 8 + spanBits, to: labels) else { throw .spans }
  }

  /// Whether the bits from `bit` up to the byte `end` are zero.
  private func hasZeros(from bit: Int, to end: Int) -> Bool {
    guard bit < end * 8 else { return true }
    return base.load(fromByteOffset: bit >> 3, as: UInt8.self) >> UInt8(bit & 7) == 0
  }
}
