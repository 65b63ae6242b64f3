/// Reads the fields of one payload from the front; every length is checked before it is used.
struct FieldReader {
  private let frame: Frame
  private var position = 0

  init(_ frame: Frame) { self.frame = frame }

  mutating func integer<I: FixedWidthInteger & BitwiseCopyable>(_ field: String) throws(WireError) -> I {
    let width = MemoryLayout<I>.size
    guard frame.payload.count - position >= width else { throw error(.tooShort, field) }
    defer { position += width }
    return I(littleEndian: frame.payload.loadUnaligned(fromByteOffset: position, as: I.self))
  }

  /// A text of at most `limit` bytes. Bytes that aren't UTF-8 are replaced: the text is for people.
  mutating func text(_ field: String, limit: Int = Frame.maximumText) throws(WireError) -> String {
    let length: UInt32 = try integer(field)
    guard Int(length) <= limit else { throw error(.tooLong, field) }
    guard frame.payload.count - position >= Int(length) else { throw error(.tooShort, field) }
    defer { position += Int(length) }
    return String(decoding: frame.payload[position..<position + Int(length)], as: UTF8.self)
  }

  /// A size in bytes or entries that fits an `Int`.
  mutating func size(_ field: String) throws(WireError) -> Int {
    let value: UInt64 = try integer(field)
    guard let size = Int(exactly: value) else { throw error(.badValue, field) }
    return size
  }

  mutating func flag(_ field: String) throws(WireError) -> Bool {
    switch try integer(field) as UInt8 {
    case 0: return false
    case 1: return true
    default: throw error(.badValue, field)
    }
  }

  mutating func choice<C: RawRepresentable>(_ field: String) throws(WireError) -> C where C.RawValue == UInt8 {
    guard let choice = C(rawValue: try integer(field)) else { throw error(.badValue, field) }
    return choice
  }

  /// Requires that nothing is left.
  func end() throws(WireError) {
    guard position == frame.payload.count else { throw error(.trailingBytes, "end") }
  }

  func error(_ code: WireError.Code, _ field: String) -> WireError {
    WireError(code, kind: frame.kind.rawValue, offset: frame.offset, field: field)
  }
}
