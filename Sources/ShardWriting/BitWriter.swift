/// Collects bits, the first one lowest, in memory that is used again and again.
struct BitWriter {
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var pending: UInt64 = 0
  private var pendingCount: UInt64 = 0
  /// Whole bytes written.
  private(set) var byteCount = 0

  init(capacity: Int = 1 << 13) {
    self.capacity = capacity
    bytes = .allocate(capacity: capacity)
  }

  func deallocate() { bytes.deallocate() }

  /// Bits written since the last `reset`.
  var bitCount: Int { byteCount &* 8 &+ Int(truncatingIfNeeded: pendingCount) }

  mutating func reset() {
    byteCount = 0
    pending = 0
    pendingCount = 0
  }

  /// Appends the `width` lowest bits of `value`. Requires: width ≤ 56, the other bits are zero.
  @inline(__always)
  mutating func append(_ value: UInt64, _ width: Int) {
    if byteCount &+ 16 > capacity { grow() }
    pending |= value &<< pendingCount
    pendingCount &+= UInt64(truncatingIfNeeded: width)
    UnsafeMutableRawPointer(bytes + byteCount).storeBytes(of: pending.littleEndian, as: UInt64.self)
    let whole = pendingCount &>> 3
    byteCount &+= Int(truncatingIfNeeded: whole)
    // A shift by 64 gives 0: seven whole bytes are the most that can be pending.
    pending = pending >> (whole &* 8)
    pendingCount &= 7
  }

  /// Fills the last byte up with zeros.
  mutating func align() {
    if pendingCount > 0 {
      byteCount &+= 1
      pending = 0
      pendingCount = 0
    }
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
    larger.update(from: bytes, count: byteCount)
    bytes.deallocate()
    bytes = larger
    capacity *= 2
  }
}
