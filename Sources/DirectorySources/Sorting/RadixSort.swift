/// Where a record lies, and by what it is sorted.
struct SortKey {
  /// The number.
  var number: UInt64
  /// Where the record begins: in bytes from the start of its buffer, or an address.
  var offset: Int
}

/// Sorts keys by number, least significant digit first; equal numbers stay in the order they came.
enum RadixSort {
  /// Bits of one digit: the places of 2,048 buckets stay in the first-level cache.
  private static let digitBits: UInt64 = 11
  private static let buckets = 1 << 11

  /// Sorts `keys` with `scratch` of at least the same count and returns whichever of the two holds the result.
  ///
  /// O(n · d) for the d 11-bit digits in which the numbers differ, counted in one pass; ascending input costs one pass.
  static func sort(
    _ keys: UnsafeMutableBufferPointer<SortKey>, scratch: UnsafeMutableBufferPointer<SortKey>
  ) -> UnsafeMutableBufferPointer<SortKey> {
    guard keys.count > 1, var from = keys.baseAddress, var to = scratch.baseAddress else { return keys }
    let count = keys.count
    var least = from[0].number
    var most = least
    var last = least
    var isAscending = true
    for index in 1..<count {
      let number = from[index].number
      if number < last { isAscending = false }
      last = number
      least = min(least, number)
      most = max(most, number)
    }
    if isAscending { return keys }
    let bits = UInt64(UInt64.bitWidth - (most - least).leadingZeroBitCount)
    let digits = Int((bits + digitBits - 1) / digitBits)
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: digits * buckets) { counters in
      counters.initialize(repeating: 0)
      for index in 0..<count {
        var rest = from[index].number &- least
        var table = 0
        for _ in 0..<digits {
          counters[table &+ Int(truncatingIfNeeded: rest & UInt64(buckets - 1))] &+= 1
          rest &>>= digitBits
          table &+= buckets
        }
      }
      for digit in 0..<digits {
        let shift = UInt64(digit) * digitBits
        let places = UnsafeMutableBufferPointer(rebasing: counters[(digit * buckets)..<((digit + 1) * buckets)])
        var position: UInt32 = 0
        for bucket in 0..<buckets {
          let size = places[bucket]
          places[bucket] = position
          position &+= size
        }
        for index in 0..<count {
          let key = from[index]
          let bucket = Int(truncatingIfNeeded: (key.number &- least) &>> shift & UInt64(buckets - 1))
          to[Int(places[bucket])] = key
          places[bucket] &+= 1
        }
        swap(&from, &to)
      }
    }
    return UnsafeMutableBufferPointer(start: from, count: count)
  }
}
