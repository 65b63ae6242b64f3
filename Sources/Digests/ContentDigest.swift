/// The digest of what one family of a provider says, whatever file, profile, ranges or interleaving said it.
///
/// The SHA-256 of the family's entries in ascending order, ranges expanded to their numbers, each as
/// - the number: 8 bytes, signed, little-endian; and for an identification entry
/// - the length of the label in bytes: 4 bytes, unsigned, little-endian, and the label's UTF-8 bytes.
///
/// Several labels of one number (R-INC-5) follow each other, the one that is shown first. A family without entries has the
/// digest of no bytes. 16 KiB of memory. One thread at a time.
public final class ContentDigest {
  /// Entries taken so far.
  public var count: Int { taken }

  private var taken = 0
  private var hash = SHA256()
  private var used = 0
  private let buffer: UnsafeMutableRawBufferPointer

  /// A digest of no entries yet.
  public init() { buffer = .allocate(byteCount: 1 << 14, alignment: 64) }

  deinit { buffer.deallocate() }

  /// Takes a blocking entry.
  public func append(_ number: Int64) {
    if buffer.count - used < 8 { flush() }
    buffer.storeBytes(of: number.littleEndian, toByteOffset: used, as: Int64.self)
    used += 8
    taken &+= 1
  }

  /// Takes an identification entry. Requires: `label` has less than 4 GiB.
  public func append(_ number: Int64, label: UnsafeRawBufferPointer) {
    if buffer.count - used < 12 + label.count { flush() }
    buffer.storeBytes(of: number.littleEndian, toByteOffset: used, as: Int64.self)
    buffer.storeBytes(of: UInt32(truncatingIfNeeded: label.count).littleEndian, toByteOffset: used + 8, as: UInt32.self)
    used += 12
    taken &+= 1
    guard let bytes = label.baseAddress else { return }
    if label.count <= buffer.count - used {
      (buffer.baseAddress! + used).copyMemory(from: bytes, byteCount: label.count)
      used += label.count
    } else {
      flush()
      hash.update(label)
    }
  }

  /// Takes a blocking entry of each of `numbers` consecutive numbers. Requires: the last of them is an `Int64`.
  public func append(_ first: Int64, count numbers: Int) {
    var next = first
    var left = numbers
    while left > 0 {
      if buffer.count - used < 8 { flush() }
      let part = min(left, (buffer.count - used) / 8)
      for index in 0..<part {
        buffer.storeBytes(
          of: (next &+ Int64(index)).littleEndian, toByteOffset: used &+ index &* 8, as: Int64.self)
      }
      used += part * 8
      next &+= Int64(part)
      left -= part
    }
    taken &+= numbers
  }

  /// Takes an identification entry of each of `numbers` consecutive numbers, all with one label. Requires: the last of them is
  /// an `Int64`; `label` has less than 4 GiB.
  public func append(_ first: Int64, count numbers: Int, label: UnsafeRawBufferPointer) {
    for index in 0..<numbers { append(first &+ Int64(index), label: label) }
  }

  /// The digest of the entries taken so far; more may follow.
  public func finish() -> SHA256Digest {
    flush()
    return hash.finish()
  }

  private func flush() {
    hash.update(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<used]))
    used = 0
  }
}
