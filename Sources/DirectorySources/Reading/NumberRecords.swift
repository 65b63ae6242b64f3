/// The record format in which 2GIS keeps its directory of callers, one record after the other and nothing else:
///
/// ```
/// offset  bytes  content
///      0      2  length: bytes of the record that follow, little-endian; 8 + bytes of the name
///      2      8  phone: digits of the international number as an integer, without plus, little-endian
///     10      …  name: UTF-8, without terminator
/// ```
///
/// The lengths are the only thing that tells records apart: one that is wrong makes everything behind it meaningless, so
/// the file is not read at all. Records are counted like lines, from 1.
struct NumberRecords: Sendable {
  /// Bytes of the length.
  static let lengthBytes = 2
  /// Bytes of the number.
  static let numberBytes = 8
  /// The longest record, its length included.
  static let longest = lengthBytes + Int(UInt16.max)

  /// The end of the last record that is whole within `bytes`; nil when none is. A record of an impossible length counts
  /// as whole, for the parser to say so.
  func lastRowEnd(in bytes: UnsafeRawBufferPointer) -> Int? {
    var position = 0
    while let length = Self.length(in: bytes, at: position), position + Self.lengthBytes + length <= bytes.count {
      if length < Self.numberBytes { return position > 0 ? position : bytes.count }
      position += Self.lengthBytes + length
    }
    return position > 0 ? position : nil
  }

  /// The length that is stated at `position`; nil when the bytes end before.
  @inline(__always)
  static func length(in bytes: UnsafeRawBufferPointer, at position: Int) -> Int? {
    guard position + lengthBytes <= bytes.count else { return nil }
    return Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt16.self)))
  }
}

/// Hands the records of a chunk to a `RowIntake`, their numbers written as digits. No allocation per record.
struct NumberRecordParser: ~Copyable {
  private static let mostDigits = 20
  /// A plus and the digits of a number.
  private let digits: UnsafeMutableRawBufferPointer

  init() { digits = .allocate(byteCount: 1 + Self.mostDigits + ChunkBuffer.slack, alignment: 8) }

  deinit { digits.deallocate() }

  /// Parses all records of `bytes`. Returns how many there are. O(bytes).
  func parse(
    _ bytes: UnsafeRawBufferPointer, fields: UnsafeMutablePointer<FieldSpan>, into intake: inout RowIntake
  ) throws(ReadingFailure) -> Int {
    let normaliser = intake.plan.normaliser
    var position = 0
    var record = 0
    while position < bytes.count {
      guard let length = NumberRecords.length(in: bytes, at: position) else {
        throw fault(position, record, "ends after \(bytes.count - position) of the 2 bytes of its length", intake)
      }
      guard length >= NumberRecords.numberBytes else {
        throw fault(position, record, "has the length \(length), less than the 8 bytes of its number", intake)
      }
      let start = position + NumberRecords.lengthBytes
      guard length <= bytes.count - start else {
        throw fault(position, record, "has the length \(length), but only \(bytes.count - start) bytes follow", intake)
      }
      let row = UnsafeRawBufferPointer(rebasing: bytes[start..<(start + length)])
      let number = UInt64(littleEndian: row.loadUnaligned(as: UInt64.self))
      let name = UnsafeRawBufferPointer(rebasing: row[NumberRecords.numberBytes...])
      fields.initialize(to: write(number))
      if let nameStart = name.baseAddress {
        (fields + 1).initialize(to: FieldSpan(start: nameStart, end: nameStart + name.count))
      }
      try intake.accept(fields, count: 2, row: row, line: record, normaliser: normaliser)
      record += 1
      position = start + length
    }
    return record
  }

  /// `number` as `+` and digits, in memory that the next number uses again.
  @inline(__always)
  private func write(_ number: UInt64) -> FieldSpan {
    var rest = number
    var position = 1 + Self.mostDigits
    repeat {
      position -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      digits[position] = 0x30 + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    } while rest > 0
    position -= 1
    digits[position] = 0x2B
    let base = UnsafeRawPointer(digits.baseAddress.unsafelyUnwrapped)
    return FieldSpan(start: base + position, end: base + 1 + Self.mostDigits)
  }

  private func fault(
    _ position: Int, _ record: Int, _ what: String, _ intake: borrowing RowIntake
  ) -> ReadingFailure {
    intake.failure(
      line: record, field: nil, "the record at offset \(intake.chunk.offset + position) \(what)",
      hint: "the file is cut short or is not in the format \"2gis\": get it again, or state its \"format\"")
  }
}
