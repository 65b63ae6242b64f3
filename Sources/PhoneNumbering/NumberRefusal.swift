/// Why a text is not taken as a phone number. The order of the cases is the order in which reports list them.
public enum NumberRefusal: UInt8, Error, CaseIterable, Hashable, Sendable {
  case empty
  case noDigits
  case letters
  case remark
  case severalNumbers
  case exponent
  case decimalFraction
  case symbol
  case invalidText
  case tooShort
  case tooLong
  case notPossible
  case localOnly
  case shortCode
  case unknownCallingCode
  case nationalWithoutCountry
  case extensionRefused
  case extensionMalformed
  case extensionTooLong

  /// What is wrong and, where there is one, what to do about it; no line end, no full stop.
  public var reason: String {
    switch self {
    case .empty: "no number"
    case .noDigits: "no digits"
    case .letters: "letters inside the number; vanity spellings are not taken"
    case .remark: "words behind the number"
    case .severalNumbers: "several numbers in one field"
    case .exponent: "a spreadsheet turned the number into an exponent; export the column as text"
    case .decimalFraction: "a spreadsheet turned the number into a decimal; export the column as text"
    case .symbol: "a character that no phone number has"
    case .invalidText: "not valid UTF-8"
    case .tooShort: "too short for its country's numbering plan, or under 7 digits in all"
    case .tooLong: "too long for its country's numbering plan, or over 15 digits in all"
    case .notPossible: "no number of this country has so many digits"
    case .localOnly: "a local number without its area code"
    case .shortCode: "a short code or an incomplete number"
    case .unknownCallingCode: "unknown country calling code"
    case .nationalWithoutCountry: "no + and no country whose national number it could be"
    case .extensionRefused: "an extension, and extension is set to \"refuse\""
    case .extensionMalformed: "an extension that is not a plain run of digits at the end"
    case .extensionTooLong: "the number would exceed 15 digits with its extension"
    }
  }
}

extension NumberRefusal: CustomStringConvertible {
  /// The reason.
  public var description: String { reason }
}
