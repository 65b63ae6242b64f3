internal import ShardWriting
internal import SystemSupport

/// Lines of tab-separated fields in memory; `\t \n \r \\` in a field are escaped. Grows to its largest block and is used
/// again.
final class LineOutput {
  private var buffer: UnsafeMutableRawBufferPointer = .allocate(byteCount: 1 << 16, alignment: 64)
  private var used = 0

  deinit { buffer.deallocate() }

  /// Appends a field's bytes, escaped.
  func field(_ bytes: UnsafeRawBufferPointer) {
    // Twice the bytes is the most that escaping makes of them.
    reserve(bytes.count * 2)
    for byte in bytes {
      if let letter = TabSeparatedField.letter(for: byte) {
        buffer[used] = UInt8(ascii: "\\")
        buffer[used + 1] = letter
        used += 2
      } else {
        buffer[used] = byte
        used += 1
      }
    }
  }

  /// Appends a field's text, escaped.
  func field(_ text: String) {
    var text = text
    text.withUTF8 { field(UnsafeRawBufferPointer($0)) }
  }

  /// Appends the digits of a number that is not negative.
  func field(_ number: Int64) {
    reserve(20)
    var digits = 1
    var rest = number.magnitude
    while rest >= 10 {
      rest /= 10
      digits += 1
    }
    rest = number.magnitude
    for place in stride(from: used + digits - 1, through: used, by: -1) {
      buffer[place] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    used += digits
  }

  /// Ends a field.
  func tab() { append(UInt8(ascii: "\t")) }

  /// Ends a line.
  func endLine() { append(UInt8(ascii: "\n")) }

  /// Writes what has been appended and begins anew.
  func flush(to file: OpenFile) throws(SystemError) {
    try file.write(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<used]))
    used = 0
  }

  private func append(_ byte: UInt8) {
    reserve(1)
    buffer[used] = byte
    used += 1
  }

  private func reserve(_ count: Int) {
    guard used + count > buffer.count else { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(buffer.count * 2, used + count), alignment: 64)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<used]))
    buffer.deallocate()
    buffer = larger
  }
}
