internal import CallDirectory

/// How an accepted row lies in memory and in temporary files, without padding, in the machine's byte order:
///
///     8  number
///     8  order: chunk (32 bits), line within the chunk (24), flags (8)
///     2  bytes of the label
///     8  score, when flagged
///     4  area, when flagged
///     8  last number, when flagged: the row is a range that begins with its number
///     n  label
///
/// `(number, order)` compares as rows are delivered: chunks are numbered in the order source, file, position, so chunk
/// and line together stand for source, file and line, and no row has the same two.
enum RowRecord {
  /// Bytes before the optional parts.
  static let fixedBytes = 18
  /// The most bytes of the optional parts but the label.
  static let optionalBytes = 20
  /// The longest record.
  static let maximumBytes = fixedBytes + optionalBytes + CallLabel.maximumBytes
  /// Lines a chunk can number.
  static let maximumLines = 1 << 24

  static let actionMask: UInt64 = 0x7
  static let scoreFlag: UInt64 = 0x8
  static let areaFlag: UInt64 = 0x10
  static let lastFlag: UInt64 = 0x20

  /// The order key of a row.
  @inline(__always)
  static func order(chunk: UInt32, line: Int, flags: UInt64) -> UInt64 {
    UInt64(chunk) << 32 | UInt64(truncatingIfNeeded: line & 0xFF_FFFF) << 8 | flags
  }

  /// Bytes of the record that begins at `record`, of which the fixed part can be read.
  @inline(__always)
  static func byteCount(at record: UnsafeRawPointer) -> Int {
    let order = record.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    let label = Int(record.loadUnaligned(fromByteOffset: 16, as: UInt16.self))
    return fixedBytes + label + (order & scoreFlag != 0 ? 8 : 0) + (order & areaFlag != 0 ? 4 : 0)
      + (order & lastFlag != 0 ? 8 : 0)
  }

  /// The last number of the record at `record`, which has the order key `order`: its number where it is no range.
  @inline(__always)
  static func last(at record: UnsafeRawPointer, order: UInt64) -> Int64 {
    guard order & lastFlag != 0 else { return record.loadUnaligned(as: Int64.self) }
    let offset = fixedBytes + (order & scoreFlag != 0 ? 8 : 0) + (order & areaFlag != 0 ? 4 : 0)
    return record.loadUnaligned(fromByteOffset: offset, as: Int64.self)
  }

  /// The action's code in the flags.
  static func code(of action: EntryAction) -> UInt64 {
    switch action {
    case .identify: 0
    case .block: 1
    case .both: 2
    case .allow: 3
    case .remove: 4
    }
  }

  /// The action of a code.
  @inline(__always)
  static func action(of order: UInt64) -> EntryAction {
    switch order & actionMask {
    case 0: .identify
    case 1: .block
    case 2: .both
    case 3: .allow
    default: .remove
    }
  }
}
