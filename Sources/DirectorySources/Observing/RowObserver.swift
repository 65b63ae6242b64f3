public import CallDirectory
public import PhoneNumbering

/// Looks at rows as they stand in their files while they are read: for lists of refused rows, and for the question what
/// became of a number. Whatever it does, the result of reading is the same.
public protocol RowObserver: AnyObject, Sendable {
  /// Which rows it is shown. Asked once, before reading begins.
  var interest: RowInterest { get }

  /// Shows it what became of a row, one call at a time, from the reading threads, in the order of sources, files and
  /// lines whatever the number of threads. What it throws ends the reading.
  func observe(_ row: ObservedRow) throws(SourceError)

  /// All rows have been read and shown. Not called when reading stops before.
  func observedAll()
}

/// The rows that an observer is shown. Rows that nobody asks about cost a comparison each.
public struct RowInterest: Sendable {
  /// Which refused rows.
  public enum Refused: Sendable {
    case none
    case all
    /// Those whose text, stripped to its ASCII digits, contains one of these digit strings; where a number of a row is
    /// refused, its cell.
    case containing(digits: [[UInt8]])
  }

  /// Which refused rows.
  public var refused: Refused
  /// Whether accepted rows that identify without a label, which no other row may give the number.
  public var unlabelled: Bool
  /// Accepted rows of these numbers.
  public var numbers: [PhoneNumber]

  /// An interest in the given rows.
  public init(refused: Refused = .none, unlabelled: Bool = false, numbers: [PhoneNumber] = []) {
    self.refused = refused
    self.unlabelled = unlabelled
    self.numbers = numbers
  }
}

/// What became of one number of a row, or of a whole row. Borrowed: of no use when `observe` has returned.
public struct ObservedRow {
  /// What became of it.
  public enum Outcome: Sendable {
    /// A number was accepted; several numbers when the row says a range.
    case accepted(ClosedRange<PhoneNumber>, notes: NormalisationNotes)
    /// Why it was refused.
    case refused(reason: String)
  }

  /// Position of the source in the plan, from 0.
  public var source: Int
  /// Position of the file among all files read, from 0.
  public var file: Int
  /// The file, as the plan names it or as its pattern expanded.
  public var path: String
  /// Line on which the row begins, from 1.
  public var line: Int
  /// Position of the field from 1; nil when the whole row is meant, and in formats whose columns have no positions. In a
  /// JSON file the character on its line that the row begins with, from 1.
  public var column: Int?
  /// Whether it is about the same row as the call before.
  public var isSameRow: Bool
  /// The row as it stands in the file, with its line end; a last row without one has it added. Of a file in another
  /// encoding or compressed: as UTF-8. Empty for a row that is too long to be held.
  public var text: UnsafeRawBufferPointer
  /// The field that it is about, or the row.
  public var cell: UnsafeRawBufferPointer
  /// What became of it.
  public var outcome: Outcome
}
