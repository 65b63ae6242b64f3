internal import ShardFormat

/// Chooses how the numbers of a block are split into a high and a low part, and where large gaps are cut out of them.
struct CodedNumbers {
  /// Bits of the low part.
  var lowWidth = 0
  /// Rows whose number is far above the one before.
  var cuts: [Int] = []
  /// Bytes in which the number of such a row stands, from the block's first number.
  var cutWidth = 1
  /// The numbers, from the first on, without what is cut out.
  private(set) var places = [UInt64](repeating: 0, count: ShardLayout.rowsPerBlock)
  private var gaps = [UInt64](repeating: 0, count: ShardLayout.rowsPerBlock)

  init() { cuts.reserveCapacity(ShardLayout.rowsPerBlock) }

  /// Bytes of the bitmap for the high parts.
  func highBytes(_ count: Int) -> Int {
    count > 1 ? (Int(places[count - 1] >> UInt64(lowWidth)) + count - 1 + 7) / 8 : 0
  }

  /// Chooses for `count` numbers that do not descend. O(count × widths tried).
  mutating func choose(_ numbers: UnsafePointer<Int64>, count: Int) {
    let span = UInt64(bitPattern: numbers[count - 1]) &- UInt64(bitPattern: numbers[0])
    cutWidth = max(1, (64 - span.leadingZeroBitCount + 7) / 8)
    var widest = 0
    for row in 1..<max(count, 1) {
      gaps[row] = UInt64(bitPattern: numbers[row]) &- UInt64(bitPattern: numbers[row - 1])
      widest = max(widest, 64 - gaps[row].leadingZeroBitCount)
    }
    var best = Int.max
    for width in 0...min(widest, 56) {
      let cost = cost(width, count, limit: best)
      if cost < best {
        best = cost
        lowWidth = width
      } else if width > lowWidth + 6 {
        break
      }
    }
    cuts.removeAll(keepingCapacity: true)
    places[0] = 0
    for row in 1..<max(count, 1) {
      if gaps[row] >> UInt64(lowWidth) > farthest {
        cuts.append(row)
        places[row] = places[row - 1]
      } else {
        places[row] = places[row - 1] + gaps[row]
      }
    }
  }

  /// The largest step of the high part that is not cut out. The bitmap of a block then stays below 1,024 bytes.
  private var farthest: UInt64 { UInt64(min(8 + 8 * cutWidth, 60)) }

  private func cost(_ width: Int, _ count: Int, limit: Int) -> Int {
    let farthest = farthest
    let cut = 8 + 8 * cutWidth
    var bits = count * (width + 1)
    gaps.withUnsafeBufferPointer { gaps in
      for row in 1..<max(count, 1) {
        let step = gaps[row] &>> UInt64(width)
        bits &+= step > farthest ? cut : Int(truncatingIfNeeded: step)
      }
    }
    return bits
  }
}
