internal import SystemSupport

/// The bytes of a file being written: rows are put together in place, and whole blocks go to the file.
final class RowBuffer {
  private static let blockSize = 1 << 18
  /// Room for the longest row behind a full block.
  private static let longestRow = 1 << 14

  private let file: OpenFile
  private let bytes: UnsafeMutablePointer<UInt8>
  private var used = 0
  private(set) var rows = 0
  private var flushed = 0

  /// A new file at `path`, which replaces one that is there.
  init(_ path: String) throws(SystemError) {
    file = try OpenFile(path, .overwrite)
    bytes = .allocate(capacity: Self.blockSize + Self.longestRow)
  }

  deinit { bytes.deallocate() }

  /// Bytes written so far.
  var size: Int { flushed + used }

  @inline(__always)
  func append(_ byte: UInt8) {
    bytes[used] = byte
    used += 1
  }

  @inline(__always)
  func append(_ source: UnsafePointer<UInt8>, _ count: Int) {
    (bytes + used).update(from: source, count: count)
    used += count
  }

  @inline(__always)
  func append(_ text: StaticString) { append(text.utf8Start, text.utf8CodeUnitCount) }

  /// Texts that are not on the path of every row.
  func append(text: String) {
    for byte in text.utf8 { append(byte) }
  }

  /// A number in decimal.
  @inline(__always)
  func append(decimal value: UInt64) {
    var divisor: UInt64 = 1
    while value / divisor >= 10 { divisor *= 10 }
    append(digits: value, divisor: divisor)
  }

  /// `value` in decimal, `divisor` standing for its first digit: leading zeros are written.
  @inline(__always)
  func append(digits value: UInt64, divisor: UInt64) {
    var divisor = divisor
    var rest = value
    while divisor > 0 {
      append(UInt8(truncatingIfNeeded: 48 + rest / divisor))
      rest %= divisor
      divisor /= 10
    }
  }

  /// Ends the row; the one place where bytes leave the buffer.
  @inline(__always)
  func endRow() throws(SystemError) {
    append(10)
    rows += 1
    if used >= Self.blockSize { try flush() }
  }

  /// Hands what is buffered to the system.
  func flush() throws(SystemError) {
    try file.write(UnsafeRawBufferPointer(start: bytes, count: used))
    flushed += used
    used = 0
  }
}
