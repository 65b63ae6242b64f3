internal import Digests
internal import ShardFormat
internal import SystemSupport

/// Collects the rows of one plain block and writes it. 18 KiB of memory, more only for a block with longer labels.
final class PlainBlockBuilder {
  private(set) var count = 0
  private let numbers: UnsafeMutablePointer<Int64>
  private let ends: UnsafeMutablePointer<UInt32>
  private var blockedLow: UInt64 = 0
  private var blockedHigh: UInt64 = 0
  private var labels: UnsafeMutableRawBufferPointer
  private var labelBytes = 0
  private var labelled = 0

  init() {
    numbers = .allocate(capacity: ShardLayout.rowsPerBlock)
    ends = .allocate(capacity: ShardLayout.rowsPerBlock)
    labels = .allocate(byteCount: 1 << 14, alignment: 16)
  }

  deinit {
    numbers.deallocate()
    ends.deallocate()
    labels.deallocate()
  }

  var isFull: Bool { count == ShardLayout.rowsPerBlock }

  /// The first number. Requires: count > 0.
  var first: Int64 { numbers[0] }

  /// Adds a row. Requires: not full, `number` not below the last.
  @inline(__always)
  func append(_ number: Int64) {
    numbers[count] = number
    ends[count] = UInt32(truncatingIfNeeded: labelBytes)
    count &+= 1
  }

  /// Blocks the last row. Requires: count > 0.
  @inline(__always)
  func blockLast() {
    let row = count &- 1
    let bit = UInt64(1) &<< UInt64(row & 63)
    if row < 64 { blockedLow |= bit } else { blockedHigh |= bit }
  }

  /// Labels the last row. Requires: count > 0, the row has no label yet, at most 65,534 bytes.
  @inline(__always)
  func labelLast(_ label: UnsafeRawBufferPointer) {
    guard let bytes = label.baseAddress else { return }
    if label.count > labels.count &- labelBytes { grow(label.count) }
    (labels.baseAddress! + labelBytes).copyMemory(from: bytes, byteCount: label.count)
    labelBytes &+= label.count
    labelled &+= 1
    ends[count &- 1] = UInt32(truncatingIfNeeded: labelBytes)
  }

  /// Writes the block, in the smallest widths that hold its values, and begins an empty one; gives the checksum of what was
  /// written, 0 unless `takesChecksum`. Requires: count > 0.
  func seal(to output: ShardOutput, takesChecksum: Bool) throws(SystemError) -> UInt32 {
    let distance = UInt64(bitPattern: numbers[count - 1]) &- UInt64(bitPattern: first)
    let numberWidth = distance <= 0xFF ? 1 : distance <= 0xFFFF ? 2 : distance <= 0xFFFF_FFFF ? 4 : 8
    let endWidth = labelBytes == 0 ? 0 : labelBytes <= 0xFFFF ? 2 : 4
    let blocked = blockedLow.nonzeroBitCount + blockedHigh.nonzeroBitCount
    let families = Self.membership(blocked, of: count) | Self.membership(labelled, of: count) << 2
    let bitmapBytes = blocked > 0 && blocked < count ? (count + 7) / 8 : 0
    let total = 4 + bitmapBytes + count * (numberWidth + endWidth) + labelBytes

    let start = try output.room(total)
    var at = start
    at.storeBytes(of: UInt8(count), as: UInt8.self)
    at.storeBytes(of: UInt8(numberWidth), toByteOffset: 1, as: UInt8.self)
    at.storeBytes(of: UInt8(endWidth), toByteOffset: 2, as: UInt8.self)
    at.storeBytes(of: families, toByteOffset: 3, as: UInt8.self)
    at += 4
    for byte in 0..<bitmapBytes {
      let bits = byte < 8 ? blockedLow >> UInt64(byte * 8) : blockedHigh >> UInt64(byte * 8 - 64)
      at.storeBytes(of: UInt8(truncatingIfNeeded: bits), toByteOffset: byte, as: UInt8.self)
    }
    at += bitmapBytes
    switch numberWidth {
    case 1: narrowNumbers(to: at, UInt8.self)
    case 2: narrowNumbers(to: at, UInt16.self)
    case 4: narrowNumbers(to: at, UInt32.self)
    default: narrowNumbers(to: at, UInt64.self)
    }
    at += count * numberWidth
    if endWidth == 2 {
      for row in 0..<count {
        at.storeBytes(of: UInt16(truncatingIfNeeded: ends[row]).littleEndian, toByteOffset: row &* 2, as: UInt16.self)
      }
    } else if endWidth == 4 {
      for row in 0..<count {
        at.storeBytes(of: ends[row].littleEndian, toByteOffset: row &* 4, as: UInt32.self)
      }
    }
    at += count * endWidth
    at.copyMemory(from: labels.baseAddress!, byteCount: labelBytes)
    let bytes = UnsafeRawBufferPointer(start: start, count: total)
    let checksum = takesChecksum ? CRC32C.checksum(of: bytes) : 0
    output.advance(total)
    count = 0
    labelBytes = 0
    labelled = 0
    blockedLow = 0
    blockedHigh = 0
    return checksum
  }

  @inline(__always)
  private func narrowNumbers<W: FixedWidthInteger & UnsignedInteger>(to target: UnsafeMutableRawPointer, _: W.Type) {
    for row in 0..<count {
      let distance = W(truncatingIfNeeded: numbers[row] &- numbers[0])
      target.storeBytes(of: distance.littleEndian, toByteOffset: row &* MemoryLayout<W>.size, as: W.self)
    }
  }

  /// 0 none, 1 all, 2 some.
  private static func membership(_ rows: Int, of count: Int) -> UInt8 { rows == 0 ? 0 : rows == count ? 1 : 2 }

  private func grow(_ more: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(labels.count * 2, labelBytes + more), alignment: 16)
    larger.baseAddress!.copyMemory(from: labels.baseAddress!, byteCount: labelBytes)
    labels.deallocate()
    labels = larger
  }
}
