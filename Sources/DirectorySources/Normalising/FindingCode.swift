internal import PhoneNumbering

/// Findings as small numbers, so that counting one costs an addition. Numbers' refusals come first, then rows', then
/// patterns', then notes.
struct FindingCode: Hashable, Sendable {
  let index: Int

  private static let rowStart = 32
  private static let patternStart = 56
  private static let noteStart = 64
  private static let numberNoteStart = 80
  /// How many codes there are.
  static let count = 96

  static let fieldCount = FindingCode(index: rowStart)
  static let unclosedQuote = FindingCode(index: rowStart + 1)
  static let textAfterQuote = FindingCode(index: rowStart + 2)
  static let rowTooLong = FindingCode(index: rowStart + 3)
  static let scoreNotANumber = FindingCode(index: rowStart + 4)
  static let cardNotClosed = FindingCode(index: rowStart + 10)
  static let textOutsideCard = FindingCode(index: rowStart + 11)
  static let cardEncoding = FindingCode(index: rowStart + 12)
  static let cardCharset = FindingCode(index: rowStart + 13)
  static let notAnObject = FindingCode(index: rowStart + 16)
  static let objectInColumn = FindingCode(index: rowStart + 17)
  static let brokenJSON = FindingCode(index: rowStart + 18)
  static let emergencyNumber = FindingCode(index: rowStart + 5)
  static let labelControlCharacters = FindingCode(index: noteStart)
  static let actionNotListed = FindingCode(index: noteStart + 1)
  static let lineOfCard = FindingCode(index: noteStart + 6)
  static let aliasAdded = FindingCode(index: noteStart + 2)
  static let labelCut = FindingCode(index: noteStart + 3)
  static let areaNotInMap = FindingCode(index: noteStart + 4)

  static func number(_ refusal: NumberRefusal) -> FindingCode { FindingCode(index: Int(refusal.rawValue)) }

  /// The code of a refused pattern; that of the number where one of its numbers is to blame.
  static func pattern(_ cause: PatternRefusal.Cause) -> FindingCode {
    if case .number(let refusal) = cause { return number(refusal) }
    return FindingCode(index: patternStart + (patternCauses.firstIndex(of: cause) ?? 0))
  }

  private static let patternCauses: [PatternRefusal.Cause] = [
    .tooManyNumbers, .openEnded, .tooManyRanges, .misplacedWildcard, .ambiguous, .descending, .unlikeEnds,
  ]

  /// The code of the note with the given bit.
  static func numberNote(bit: Int) -> FindingCode { FindingCode(index: numberNoteStart + bit) }

  /// Whether the row was accepted all the same.
  var isNote: Bool { index >= Self.noteStart }

  /// The public name.
  var finding: RowFinding {
    switch self {
    case .fieldCount: return .fieldCount
    case .unclosedQuote: return .unclosedQuote
    case .textAfterQuote: return .textAfterQuote
    case .rowTooLong: return .rowTooLong
    case .scoreNotANumber: return .scoreNotANumber
    case .cardNotClosed: return .cardNotClosed
    case .textOutsideCard: return .textOutsideCard
    case .cardEncoding: return .cardEncoding
    case .cardCharset: return .cardCharset
    case .lineOfCard: return .lineOfCard
    case .labelControlCharacters: return .labelControlCharacters
    case .emergencyNumber: return .emergencyNumber
    case .notAnObject: return .notAnObject
    case .objectInColumn: return .objectInColumn
    case .brokenJSON: return .brokenJSON
    case .aliasAdded: return .aliasAdded
    case .labelCut: return .labelCut
    case .areaNotInMap: return .areaNotInMap
    case .actionNotListed: return .actionNotListed
    default: break
    }
    if index < Self.rowStart { return NumberRefusal(rawValue: UInt8(index)).map(RowFinding.number) ?? .rowTooLong }
    if (Self.patternStart..<Self.patternStart + Self.patternCauses.count).contains(index) {
      return .pattern(Self.patternCauses[index - Self.patternStart])
    }
    return .numberNote(NormalisationNotes(rawValue: 1 << UInt16(index - Self.numberNoteStart)))
  }
}
