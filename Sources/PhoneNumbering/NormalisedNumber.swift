public import CallDirectory

/// An accepted number and what had to be done to it.
public struct NormalisedNumber: Hashable, Sendable {
  /// 7 … 15 digits, calling code first; or a short code as dialled.
  public var number: PhoneNumber
  /// What was repaired or is worth knowing; empty for a clean number.
  public var notes: NormalisationNotes

  /// A number with its notes.
  public init(number: PhoneNumber, notes: NormalisationNotes = []) {
    self.number = number
    self.notes = notes
  }
}

/// What was repaired in an accepted number, or is worth knowing about it. Each is counted in the reports.
public struct NormalisationNotes: OptionSet, Hashable, Sendable {
  /// One bit per note.
  public let rawValue: UInt16

  /// The notes of a bit set.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// A trunk prefix stood behind the calling code (`+44 0161 …`) and was taken off.
  public static let spuriousTrunkPrefix = NormalisationNotes(rawValue: 1 << 0)
  /// The number makes sense only as an international number whose `+` was lost.
  public static let missingPlus = NormalisationNotes(rawValue: 1 << 1)
  /// A `+` stood in front of digits that are not a calling code, and was ignored.
  public static let misplacedPlus = NormalisationNotes(rawValue: 1 << 2)
  /// An extension was left out.
  public static let extensionDropped = NormalisationNotes(rawValue: 1 << 3)
  /// An extension was put behind the number; no caller will match it.
  public static let extensionAppended = NormalisationNotes(rawValue: 1 << 4)
  /// Words behind the number were left out.
  public static let remarkStripped = NormalisationNotes(rawValue: 1 << 5)
  /// The number has a possible length, but no region has assigned its range.
  public static let unassigned = NormalisationNotes(rawValue: 1 << 6)
  /// A short code, kept as dialled.
  public static let shortCode = NormalisationNotes(rawValue: 1 << 7)
  /// An old spelling of the number (Mexico's 1 behind 52) was folded into today's.
  public static let aliasFolded = NormalisationNotes(rawValue: 1 << 8)

  /// Each note with the words used in reports, in bit order.
  public static let all: [(note: NormalisationNotes, text: String)] = [
    (.spuriousTrunkPrefix, "spurious trunk prefix removed"),
    (.missingPlus, "missing +, read as international"),
    (.misplacedPlus, "misplaced + ignored"),
    (.extensionDropped, "extension dropped"),
    (.extensionAppended, "extension appended, will not match a caller"),
    (.remarkStripped, "remark stripped"),
    (.unassigned, "not an assigned number range"),
    (.shortCode, "short code, kept as dialled"),
    (.aliasFolded, "old form folded into the present one"),
  ]
}

extension NormalisationNotes: CustomStringConvertible {
  /// The notes in words, `; ` between them; empty for none.
  public var description: String {
    NormalisationNotes.all.filter { contains($0.note) }.map(\.text).joined(separator: "; ")
  }
}
