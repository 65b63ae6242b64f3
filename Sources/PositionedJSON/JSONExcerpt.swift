/// Short, printable pieces of a text for messages.
enum JSONExcerpt {
  /// Bytes from its offset on that `found` may depend on: 24 characters, and whether one more follows.
  static let longestFound = 25 * 4

  /// What stands at `offset`: `'ok {"a":1}'`, at most 24 characters and to the end of the line, bytes that cannot be
  /// printed as `\xNN`; a single punctuation mark of JSON alone.
  static func found(at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard offset < bytes.count else { return "the end of the text" }
    if [0x2C, 0x3A, 0x5D, 0x7D].contains(bytes[offset]) { return "'\(Unicode.Scalar(bytes[offset]))'" }
    if bytes[offset] == 0x0A || bytes[offset] == 0x0D { return "the end of the line" }
    var text = ""
    var index = offset
    var characters = 0
    while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D {
      if characters == 24 {
        text += "…"
        break
      }
      let length = UTF8Validation.sequenceLength(in: bytes, at: index)
      if length == 0 || (length == 1 && (bytes[index] < 0x20 || bytes[index] == 0x7F)) {
        text += "\\x\(hexadecimal(bytes[index]))"
      } else {
        text += String(decoding: bytes[index..<index + length], as: UTF8.self)
      }
      index += max(length, 1)
      characters += 1
    }
    return "'\(text)'"
  }

  /// `text` in double quotes on one line, cut after 40 characters.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for (count, scalar) in text.unicodeScalars.enumerated() {
      if count == 40 {
        result += "…"
        break
      }
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: result += "\\x\(hexadecimal(UInt8(scalar.value)))"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Two capital hexadecimal digits.
  static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count == 1 ? "0" + digits : digits
  }
}
