public import CallDirectory

/// The records of one `entries` frame, read in place: no allocation, O(1) per record.
///
/// Payload: `u8` family, 3 bytes zero, `u32` number of records (at least 1), then the records. A blocking record is the
/// `i64` number. An identification record is the `i64` number, a `u16` label length and the label's bytes; length 65,535
/// stands for a label over 65,534 bytes, which the phone drops (R-ENT-3), and no bytes follow.
public struct EntryRecords {
  /// The family of all records.
  public let family: EntryFamily
  /// How many records the frame says it has; at least 1.
  public let count: Int
  /// The frame's payload, borrowed like the frame's.
  public let payload: UnsafeRawBufferPointer

  @usableFromInline var position = EntryRecords.headerBytes
  @usableFromInline var given = 0
  private let offset: Int

  /// Bytes before the first record.
  public static let headerBytes = 8
  /// The length that stands for an over-long label.
  public static let overlong: UInt16 = 0xFFFF

  /// One record; the label is borrowed like the frame's payload.
  public struct Record {
    /// The number, any `Int64`.
    public var number: PhoneNumber
    /// The label's bytes as given, not checked for UTF-8; empty in the blocking family.
    public var label: UnsafeRawBufferPointer
    /// The label was over 65,534 bytes and was left out.
    public var isOverlong: Bool

    @inlinable init(number: PhoneNumber, label: UnsafeRawBufferPointer, isOverlong: Bool) {
      self.number = number
      self.label = label
      self.isOverlong = isOverlong
    }
  }

  /// Reads the payload's header. Records are checked one by one as they are read.
  public init(_ frame: Frame) throws(WireError) {
    var fields = FieldReader(frame)
    guard let family = EntryFamily(rawValue: try fields.integer("family")) else {
      throw fields.error(.badValue, "family")
    }
    for _ in 0..<3 where try fields.integer("reserved") != UInt8(0) { throw fields.error(.reservedNotZero, "reserved") }
    let count: UInt32 = try fields.integer("count")
    let smallest = family == .blocking ? 8 : 10
    guard count >= 1, Int(count) <= (frame.payload.count - Self.headerBytes) / smallest else {
      throw fields.error(.badValue, "count")
    }
    self.family = family
    self.count = Int(count)
    payload = frame.payload
    offset = frame.offset
  }

  /// The next record, or nil after the last; then the whole payload has been accounted for.
  @inlinable
  public mutating func next() throws(WireError) -> Record? {
    let left = payload.count - position
    guard given < count else {
      guard left == 0 else { throw failure(.trailingBytes) }
      return nil
    }
    given += 1
    guard left >= 8 else { throw failure(.tooShort) }
    let number = PhoneNumber(
      rawValue: Int64(littleEndian: payload.loadUnaligned(fromByteOffset: position, as: Int64.self)))
    position += 8
    guard family == .identification else {
      return Record(number: number, label: UnsafeRawBufferPointer(start: nil, count: 0), isOverlong: false)
    }
    guard left >= 10 else { throw failure(.tooShort) }
    let stated = UInt16(littleEndian: payload.loadUnaligned(fromByteOffset: position, as: UInt16.self))
    position += 2
    guard stated != Self.overlong else {
      return Record(number: number, label: UnsafeRawBufferPointer(start: nil, count: 0), isOverlong: true)
    }
    let length = Int(stated)
    guard left - 10 >= length else { throw failure(.tooShort) }
    let label = UnsafeRawBufferPointer(rebasing: payload[position..<position + length])
    position += length
    return Record(number: number, label: label, isOverlong: false)
  }

  @usableFromInline
  func failure(_ code: WireError.Code) -> WireError {
    WireError(code, kind: Frame.Kind.entries.rawValue, offset: offset, field: "record \(given) of \(count)")
  }
}
