/// Builds one frame at the end of a byte array.
struct FieldWriter {
  private(set) var bytes: [UInt8]
  private let kind: Frame.Kind

  init(_ kind: Frame.Kind) {
    self.kind = kind
    bytes = [kind.rawValue, 0, 0, 0, 0, 0, 0, 0]
  }

  mutating func integer(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

  /// A text cut to `limit` bytes, at a character's first byte, so that it stays UTF-8.
  mutating func text(_ text: String, limit: Int = Frame.maximumText) {
    let utf8 = text.utf8
    var length = utf8.count
    if length > limit {
      length = limit
      while length > 0, UTF8.isContinuation(utf8[utf8.index(utf8.startIndex, offsetBy: length)]) { length -= 1 }
    }
    integer(UInt32(truncatingIfNeeded: length))
    bytes.append(contentsOf: utf8.prefix(length))
  }

  /// A text that mustn't be cut; `finish` refuses the frame when it gets too long.
  mutating func wholeText(_ text: String) {
    integer(UInt32(truncatingIfNeeded: text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func raw(_ payload: UnsafeRawBufferPointer) { bytes.append(contentsOf: payload) }

  /// Fills in the payload's length.
  consuming func finish() throws(WireError) -> [UInt8] {
    let length = bytes.count - Frame.headerBytes
    guard length <= Frame.maximumPayload else {
      throw WireError(.tooLong, kind: kind.rawValue, field: "payload of \(length) bytes")
    }
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: length).littleEndian) {
      for (index, byte) in $0.enumerated() { bytes[4 + index] = byte }
    }
    return bytes
  }
}
