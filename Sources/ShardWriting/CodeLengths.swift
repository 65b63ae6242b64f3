internal import ShardFormat

/// Lengths of Huffman codes that are at most a given length.
enum CodeLengths {
  /// The lengths for symbols of these weights; 0 for weight 0. Requires: at least two weights are not 0, and no more than
  /// 2^limit. O(n log n).
  static func lengths(weights: [UInt64], limit: Int) -> [UInt8] {
    let symbols = weights.indices.filter { weights[$0] > 0 }.sorted {
      (weights[$0], $0) < (weights[$1], $1)
    }
    let count = symbols.count
    var result = [UInt8](repeating: 0, count: weights.count)
    guard count > 1 else { return result }
    // Two queues: the symbols by weight, and the joined nodes in the order they come into being.
    var weight = symbols.map { weights[$0] } + [UInt64](repeating: 0, count: count)
    var parent = [Int](repeating: 0, count: 2 * count)
    var leaf = 0
    var joined = count
    for node in count..<(2 * count - 1) {
      for _ in 0..<2 {
        let child: Int
        if leaf < count, joined >= node || weight[leaf] <= weight[joined] {
          child = leaf
          leaf += 1
        } else {
          child = joined
          joined += 1
        }
        weight[node] += weight[child]
        parent[child] = node
      }
    }
    var depth = [Int](repeating: 0, count: 2 * count)
    var perLength = [Int](repeating: 0, count: limit + 1)
    for node in (0..<(2 * count - 2)).reversed() {
      depth[node] = depth[parent[node]] + 1
      if node < count { perLength[min(depth[node], limit)] += 1 }
    }
    // Codes that were cut to the limit take more room than there is: longer codes for others make it.
    var room = 0
    for length in 1...limit { room += perLength[length] << (limit - length) }
    while room > 1 << limit {
      var length = limit - 1
      while perLength[length] == 0 { length -= 1 }
      perLength[length] -= 1
      perLength[length + 1] += 2
      perLength[limit] -= 1
      room -= 1
    }
    var at = 0
    for length in (1...limit).reversed() {
      for _ in 0..<perLength[length] {
        result[symbols[at]] = UInt8(length)
        at += 1
      }
    }
    return result
  }

  /// 16 × log2, rounded down. Requires: value > 0.
  static func log16(_ value: UInt64) -> UInt32 {
    let exponent = 63 - value.leadingZeroBitCount
    var mantissa = exponent >= 31 ? value >> UInt64(exponent - 31) : value << UInt64(31 - exponent)
    var fraction: UInt32 = 0
    for bit in (0..<4).reversed() {
      mantissa = mantissa * mantissa >> 31
      if mantissa >= 1 << 32 {
        fraction |= 1 << UInt32(bit)
        mantissa >>= 1
      }
    }
    return UInt32(exponent) * 16 + fraction
  }
}
