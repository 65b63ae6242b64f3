extension ShardBlock {
  /// Writes all `count` numbers. Loops without branches, which the compiler turns into vector code.
  func decodeNumbers(into target: UnsafeMutablePointer<Int64>) {
    switch numberWidth {
    case 1: widen(UInt8.self, into: target)
    case 2: widen(UInt16.self, into: target)
    case 4: widen(UInt32.self, into: target)
    default: widen(UInt64.self, into: target)
    }
  }

  @inline(__always)
  private func widen<W: FixedWidthInteger & UnsignedInteger>(_: W.Type, into target: UnsafeMutablePointer<Int64>) {
    let source = bytes.baseAddress! + numbers
    for row in 0..<count {
      let distance = W(littleEndian: source.loadUnaligned(fromByteOffset: row &* MemoryLayout<W>.size, as: W.self))
      target[row] = first &+ Int64(truncatingIfNeeded: distance)
    }
  }

  /// Writes all `count` label ends and checks that they ascend up to the number of label bytes, so that every label lies in
  /// the block.
  func decodeLabelEnds(into target: UnsafeMutablePointer<UInt32>) throws(Fault) {
    let available = bytes.count &- labels
    guard endWidth != 0 else {
      guard available == 0 else { throw .labelBytes }
      return
    }
    let source = bytes.baseAddress! + ends
    if endWidth == 2 {
      for row in 0..<count {
        target[row] = UInt32(UInt16(littleEndian: source.loadUnaligned(fromByteOffset: row &* 2, as: UInt16.self)))
      }
    } else {
      for row in 0..<count {
        target[row] = UInt32(littleEndian: source.loadUnaligned(fromByteOffset: row &* 4, as: UInt32.self))
      }
    }
    var descents: UInt32 = 0
    for row in 1..<max(count, 1) { descents |= target[row] < target[row &- 1] ? 1 : 0 }
    guard descents == 0 else { throw .labelEnds }
    guard Int(target[count &- 1]) == available else { throw .labelBytes }
  }

  /// Throws unless the label ends ascend up to the number of label bytes.
  func checkLabelEnds() throws(Fault) {
    let available = bytes.count - labels
    guard endWidth != 0 else {
      guard available == 0 else { throw .labelBytes }
      return
    }
    for row in 0..<count where labelEnd(row) < labelEnd(row - 1) { throw .labelEnds }
    guard labelEnd(count - 1) == available else { throw .labelBytes }
  }

  /// Whether the memberships are what the rows say, and the bits behind the last row zero.
  var hasExactFamilies: Bool {
    if blocked == .some, count % 8 != 0, bytes[Self.headBytes + count / 8] >> UInt8(count % 8) != 0 { return false }
    var blockedRows = 0
    var labelledRows = 0
    for row in 0..<count {
      if isBlocked(row) { blockedRows += 1 }
      if endWidth != 0, labelEnd(row - 1) < labelEnd(row) { labelledRows += 1 }
    }
    return Self.membership(of: blockedRows, in: count) == blocked
      && Self.membership(of: labelledRows, in: count) == identified
  }

  /// The membership when `rows` of `count` rows are in a family.
  static func membership(of rows: Int, in count: Int) -> Membership {
    rows == 0 ? .none : rows == count ? .all : .some
  }
}
