/// Where a record lies, and by what it is sorted.
struct SortKey {
  /// The number.
  var number: UInt64
  /// Where the record begins, in bytes from the start of its buffer.
  var offset: Int
}

/// Sorts keys by number, least significant digit first; equal numbers stay in the order they came.
enum RadixSort {
  /// Bits of one digit: a histogram of 2,048 counters stays in the first-level cache.
  private static let digitBits: UInt64 = 11
  private static let buckets = 1 << 11

  /// Sorts `keys` with `scratch` of at least the same count and returns whichever of the two holds the result.
  ///
  /// O(n · d) for the d 11-bit digits in which the numbers differ; ascending input costs one pass.
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
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: buckets) { counters in
      var shift: UInt64 = 0
      while shift < 64, (most - least) >> shift != 0 {
        counters.update(repeating: 0)
        for index in 0..<count { counters[Int(truncatingIfNeeded: digit(from[index].number &- least, shift))] &+= 1 }
        var position: UInt32 = 0
        for bucket in 0..<buckets {
          let size = counters[bucket]
          counters[bucket] = position
          position &+= size
        }
        for index in 0..<count {
          let key = from[index]
          let bucket = Int(truncatingIfNeeded: digit(key.number &- least, shift))
          to[Int(counters[bucket])] = key
          counters[bucket] &+= 1
        }
        swap(&from, &to)
        shift += digitBits
      }
    }
    return UnsafeMutableBufferPointer(start: from, count: count)
  }

  @inline(__always)
  private static func digit(_ value: UInt64, _ shift: UInt64) -> UInt64 { value &>> shift & UInt64(buckets - 1) }
}
