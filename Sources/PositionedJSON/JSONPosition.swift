/// A place in a JSON text.
public struct JSONPosition: Hashable, Sendable {
  /// Line, from 1. Lines end with LF, CRLF or CR.
  public let line: Int
  /// Column, from 1, in Unicode scalars, so that it agrees with what an editor shows for any script. A byte order mark
  /// takes no column.
  public let column: Int
  /// Bytes from the beginning of the text, a byte order mark included.
  public let offset: Int

  /// The place `offset` bytes into `bytes`. Costs one pass over the bytes before it: meant for messages, not for rows.
  init(offset: Int, in bytes: [UInt8]) {
    self = bytes.withUnsafeBufferPointer { JSONPosition(offset: offset, in: $0) }
  }

  init(offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    let end = min(offset, bytes.count)
    var index = JSONPosition.markLength(bytes)
    var line = 1
    var column = 1
    while index < end {
      let byte = bytes[index]
      index += 1
      if byte == 0x0A || (byte == 0x0D && !(index < bytes.count && bytes[index] == 0x0A)) {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.line = line
    self.column = column
    self.offset = offset
  }

  /// 3 when the text begins with the UTF-8 byte order mark, else 0.
  static func markLength(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
  }
}

extension JSONPosition: CustomStringConvertible {
  /// `line:column`.
  public var description: String { "\(line):\(column)" }
}
