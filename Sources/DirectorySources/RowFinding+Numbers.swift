public import PhoneNumbering

extension RowFinding {
  /// The finding for a number that was refused: `number.` and the name of the refusal.
  public static func number(_ refusal: NumberRefusal) -> RowFinding {
    let name =
      switch refusal {
      case .empty: "empty"
      case .noDigits: "noDigits"
      case .letters: "letters"
      case .remark: "remark"
      case .severalNumbers: "severalNumbers"
      case .exponent: "exponent"
      case .decimalFraction: "decimalFraction"
      case .symbol: "symbol"
      case .invalidText: "invalidText"
      case .tooShort: "tooShort"
      case .tooLong: "tooLong"
      case .notPossible: "notPossible"
      case .localOnly: "localOnly"
      case .shortCode: "shortCode"
      case .unknownCallingCode: "unknownCallingCode"
      case .nationalWithoutCountry: "nationalWithoutCountry"
      case .extensionRefused: "extensionRefused"
      case .extensionMalformed: "extensionMalformed"
      case .extensionTooLong: "extensionTooLong"
      }
    return RowFinding(rawValue: "number.\(name)")
  }

  /// The finding for a pattern or range that was refused: `pattern.` and the name of the cause, or that of the number
  /// which is to blame.
  public static func pattern(_ cause: PatternRefusal.Cause) -> RowFinding {
    switch cause {
    case .number(let refusal): number(refusal)
    case .tooManyNumbers: RowFinding(rawValue: "pattern.tooManyNumbers")
    case .openEnded: RowFinding(rawValue: "pattern.openEnded")
    case .tooManyRanges: RowFinding(rawValue: "pattern.tooManyRanges")
    case .misplacedWildcard: RowFinding(rawValue: "pattern.misplacedWildcard")
    case .ambiguous: RowFinding(rawValue: "pattern.ambiguous")
    case .descending: RowFinding(rawValue: "range.descending")
    case .unlikeEnds: RowFinding(rawValue: "range.unlikeEnds")
    }
  }

  /// The finding for a note about an accepted number: `number.` and the name of the note (one bit of the set).
  public static func numberNote(_ note: NormalisationNotes) -> RowFinding {
    let name =
      switch note {
      case .spuriousTrunkPrefix: "spuriousTrunkPrefix"
      case .missingPlus: "missingPlus"
      case .misplacedPlus: "misplacedPlus"
      case .extensionDropped: "extensionDropped"
      case .extensionAppended: "extensionAppended"
      case .remarkStripped: "remarkStripped"
      case .unassigned: "unassigned"
      case .shortCode: "keptShortCode"
      case .aliasFolded: "aliasFolded"
      default: "note\(note.rawValue.trailingZeroBitCount)"
      }
    return RowFinding(rawValue: "number.\(name)")
  }

  /// What the finding means, for people; names of later versions stand for themselves.
  public var text: String {
    switch self {
    case .fieldCount: return "the number of fields differs from the header's"
    case .unclosedQuote: return "a quoted field does not end"
    case .textAfterQuote: return "text between a closing quote and the separator"
    case .rowTooLong: return "the row is too long"
    case .notAnObject: return "the row is no object, but columns are members of one"
    case .objectInColumn: return "an object stands where a column leads to one value"
    case .brokenJSON: return "the line is not one JSON value"
    case .scoreNotANumber: return "score is not a number"
    case .cardNotClosed: return "the vCard is not closed: no END:VCARD before the next BEGIN:VCARD"
    case .textOutsideCard: return "text outside of a vCard"
    case .cardEncoding:
      return "a text of the vCard is encoded in a way that is not read; it must be quoted-printable or plain"
    case .cardCharset: return "a text of the vCard is not in the character set it states, or in one that is not read"
    case .lineOfCard: return "a line of the vCard is no property and was passed over"
    case .labelCut: return "the label is longer than \"maxLabelBytes\" and was cut"
    case .areaNotInMap: return "the area is not in the area map and stays as it is"
    case .emergencyNumber: return "an emergency number is never blocked"
    case .aliasAdded: return "the number's other form was added"
    case .number(.severalNumbers): return "several numbers in one field; state \"numberSeparator\""
    case .number(.remark): return "words behind the number; state \"numberRemarks\": \"strip\" to leave them out"
    case .pattern(.tooManyNumbers): return "a pattern of more numbers than \"maxPatternNumbers\""
    case .pattern(.openEnded): return "a pattern without a whole calling code"
    case .pattern(.tooManyRanges): return "a pattern of too many ranges; write # behind the other digits"
    case .noLabel: return "no label"
    case .actionNotListed: return "the action's values do not list this cell; the row identifies"
    case .separatorFound: return "fields are separated by another character than the comma"
    case .labelControlCharacters: return "control characters in the label became a space"
    default: break
    }
    if let refusal = NumberRefusal.allCases.first(where: { RowFinding.number($0) == self }) { return refusal.reason }
    let causes: [PatternRefusal.Cause] = [.misplacedWildcard, .ambiguous, .descending, .unlikeEnds]
    if let cause = causes.first(where: { RowFinding.pattern($0) == self }) { return PatternRefusal(cause).reason }
    if let note = NormalisationNotes.all.first(where: { RowFinding.numberNote($0.note) == self }) { return note.text }
    return rawValue
  }
}
