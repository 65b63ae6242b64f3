/// A stream that does not follow the protocol. After one nothing more of the stream is to be believed: the reader stops
/// and ends the load.
public struct WireError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Code: Sendable {
    /// The kind byte has no meaning, or none in this direction.
    case unknownKind
    /// A reserved byte isn't zero.
    case reservedNotZero
    /// A payload, text or record is longer than the protocol allows; also thrown by encoding.
    case tooLong
    /// The payload ends inside a field or record.
    case tooShort
    /// Bytes follow the last field or record.
    case trailingBytes
    /// A field holds a value that has no meaning.
    case badValue
    /// The stream ended inside a frame.
    case truncated
  }

  /// What is wrong.
  public var code: Code
  /// The kind byte of the frame; 0 where none was read.
  public var kind: UInt8
  /// Position of the frame's header in the stream, in bytes from its start; 0 when encoding.
  public var offset: Int
  /// The field, in words.
  public var field: String

  /// An error of the given parts.
  public init(_ code: Code, kind: UInt8, offset: Int = 0, field: String) {
    self.code = code
    self.kind = kind
    self.offset = offset
    self.field = field
  }
}

extension WireError: CustomStringConvertible {
  /// One line, for example `protocol error at byte 120: frame of kind 7: count: tooShort`.
  public var description: String { "protocol error at byte \(offset): frame of kind \(kind): \(field): \(code)" }
}
