internal import SystemSupport

/// Lines of tab-separated fields on standard output; `\t \n \r \\` in a field are escaped.
final class LineOutput {
  private let writer = FileWriter(OpenFile.standardOutput())

  /// Appends a field's bytes, escaped.
  func field(_ bytes: UnsafeRawBufferPointer) throws {
    var from = 0
    for (index, byte) in bytes.enumerated() {
      guard let letter = Self.escape(byte) else { continue }
      try writer.write(UnsafeRawBufferPointer(rebasing: bytes[from..<index]))
      try writer.write(UInt8(ascii: "\\"))
      try writer.write(letter)
      from = index + 1
    }
    try writer.write(UnsafeRawBufferPointer(rebasing: bytes[from...]))
  }

  /// Appends a field's text, escaped.
  func field(_ text: String) throws {
    var text = text
    try text.withUTF8 { try field(UnsafeRawBufferPointer($0)) }
  }

  /// Appends the digits of a number that is not negative.
  func field(_ number: Int64) throws {
    try withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
      var at = digits.count
      var rest = number.magnitude
      repeat {
        at -= 1
        digits[at] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      try writer.write(UnsafeRawBufferPointer(rebasing: digits[at...]))
    }
  }

  /// Ends a field.
  func tab() throws { try writer.write(UInt8(ascii: "\t")) }

  /// Ends a line.
  func endLine() throws { try writer.write(UInt8(ascii: "\n")) }

  /// Hands everything to the system.
  func flush() throws { try writer.flush() }

  private static func escape(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x09: UInt8(ascii: "t")
    case 0x0A: UInt8(ascii: "n")
    case 0x0D: UInt8(ascii: "r")
    case 0x5C: UInt8(ascii: "\\")
    default: nil
    }
  }
}
