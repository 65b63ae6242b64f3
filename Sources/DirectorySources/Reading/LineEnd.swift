/// What ends a line of a file. Settled once per file by its first line end.
enum LineEnd: Sendable {
  /// A line feed; a carriage return before it belongs to the line end.
  case lineFeed
  /// A carriage return that no line feed follows.
  case carriageReturn

  /// The byte that ends a line.
  @inline(__always)
  var byte: UInt8 { self == .lineFeed ? 0x0A : 0x0D }
}

/// The bytes that formats are made of.
enum Byte {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let quote: UInt8 = 0x22
  static let hash: UInt8 = 0x23
  static let comma: UInt8 = 0x2C
  static let semicolon: UInt8 = 0x3B
  static let bar: UInt8 = 0x7C
  static let openingBrace: UInt8 = 0x7B
  static let closingBrace: UInt8 = 0x7D
  static let closingBracket: UInt8 = 0x5D
  static let colon: UInt8 = 0x3A
}
