/// The first numbers of at most 1,024 blocks at equal distances, in memory of their own: a search that begins here stays in
/// the first cache until it is down to a few neighbouring blocks.
struct BlockSamples: @unchecked Sendable {
  private final class Storage: @unchecked Sendable {
    let numbers: UnsafeMutablePointer<Int64>

    init(_ count: Int) { numbers = .allocate(capacity: max(count, 1)) }

    deinit { numbers.deallocate() }
  }

  private let storage: Storage
  private let numbers: UnsafeMutablePointer<Int64>
  private let count: Int
  /// Blocks from one sample to the next.
  let distance: Int

  private static let most = 1024

  /// O(1): at most 1,024 calls of `number`.
  init(blocks: Int, number: (_ block: Int) -> Int64) {
    distance = max(1, (blocks + Self.most - 1) / Self.most)
    count = (blocks + distance - 1) / distance
    storage = Storage(count)
    numbers = storage.numbers
    for sample in 0..<count { numbers[sample] = number(sample * distance) }
  }

  /// The last block of the samples whose number is at most `bound`; the first one when there is none. Requires: not empty.
  @inline(__always)
  func block(atOrBelow bound: Int64) -> Int {
    var low = 0
    var rest = count
    while rest > 1 {
      let half = rest &>> 1
      // A step, not a branch: which way it goes cannot be foreseen.
      low &+= numbers[low &+ half] <= bound ? half : 0
      rest &-= half
    }
    return low &* distance
  }
}
