internal import CDigests

/// SHA-256 (FIPS 180-4), taken in pieces. A value: a copy goes on by itself, so the digest of a prefix costs one copy.
///
/// About 2 GB/s with the processor's SHA instructions, 0.3 GB/s without. 112 bytes, no allocation.
public struct SHA256: Sendable {
  private var state = SIMD8<UInt32>(
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19)
  private var pending = SIMD64<UInt8>(repeating: 0)
  private var length: UInt64 = 0

  /// A digest of nothing yet.
  public init() {}

  /// Goes on with `bytes`. O(n); best given in pieces of some kilobytes.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard var rest = bytes.baseAddress else { return }
    var count = bytes.count
    let used = Int(length % 64)
    length &+= UInt64(count)
    if used > 0 {
      let taken = min(64 - used, count)
      withUnsafeMutableBytes(of: &pending) { ($0.baseAddress! + used).copyMemory(from: rest, byteCount: taken) }
      if used + taken < 64 { return }
      compressPending()
      rest += taken
      count -= taken
    }
    if count >= 64 {
      compress(rest, blocks: count / 64)
      rest += count / 64 * 64
      count %= 64
    }
    if count > 0 { withUnsafeMutableBytes(of: &pending) { $0.baseAddress!.copyMemory(from: rest, byteCount: count) } }
  }

  /// The digest of everything given so far; more may follow.
  public func finish() -> SHA256Digest {
    var last = self
    let used = Int(length % 64)
    withUnsafeMutableBytes(of: &last.pending) { block in
      block[used] = 0x80
      for index in (used + 1)..<64 { block[index] = 0 }
    }
    if used >= 56 {
      last.compressPending()
      last.pending = SIMD64(repeating: 0)
    }
    withUnsafeMutableBytes(of: &last.pending) {
      $0.storeBytes(of: (length &* 8).bigEndian, toByteOffset: 56, as: UInt64.self)
    }
    last.compressPending()
    return SHA256Digest(state: last.state)
  }

  /// The digest of `bytes`.
  public static func digest(of bytes: UnsafeRawBufferPointer) -> SHA256Digest {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  private mutating func compress(_ blocks: UnsafeRawPointer, blocks count: Int) {
    withUnsafeMutableBytes(of: &state) {
      cdigests_sha256($0.baseAddress!.assumingMemoryBound(to: UInt32.self), blocks, count)
    }
  }

  private mutating func compressPending() {
    let block = pending
    withUnsafeBytes(of: block) { compress($0.baseAddress!, blocks: 1) }
  }
}
