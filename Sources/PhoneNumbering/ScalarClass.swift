/// What a character means in a written phone number.
enum ScalarClass {
  /// A decimal digit of any script, as 0 … 9.
  case digit(UInt8)
  /// `+`, also full-width.
  case plus
  /// White space within a line.
  case space
  /// Dashes, brackets, dots, quotes, format and direction characters: never mean anything.
  case separator
  /// An opening bracket: a separator, and where a remark may begin.
  case opening
  /// What stands between two numbers as often as inside one: `/`, `,`, `;`, `|`, `&`, line ends.
  case divider
  /// `#` and `~`, which introduce an extension.
  case extensionMark
  /// A letter or a mark on one.
  case letter
  /// Anything else.
  case symbol

  /// The class of an ASCII character.
  @inline(__always)
  init(ascii byte: UInt8) {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self = .digit(byte &- 48)
    case UInt8(ascii: " "), UInt8(ascii: "\t"): self = .space
    case UInt8(ascii: "-"), UInt8(ascii: ")"), UInt8(ascii: "."), UInt8(ascii: "]"), UInt8(ascii: "["),
      UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: ":"), UInt8(ascii: "_"):
      self = .separator
    case UInt8(ascii: "("): self = .opening
    case UInt8(ascii: "+"): self = .plus
    case UInt8(ascii: "/"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|"), UInt8(ascii: "&"),
      UInt8(ascii: "\\"), 10...13:
      self = .divider
    case UInt8(ascii: "#"), UInt8(ascii: "~"): self = .extensionMark
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): self = .letter
    default: self = .symbol
    }
  }

  /// The class of any character.
  init(_ scalar: Unicode.Scalar) {
    if scalar.isASCII {
      self.init(ascii: UInt8(truncatingIfNeeded: scalar.value))
      return
    }
    switch scalar.value {
    case 0xFF0B, 0xFE62:  // full-width and small plus
      self = .plus
      return
    case 0x2212, 0x30FC:  // minus sign, prolonged sound mark: typed for a dash
      self = .separator
      return
    case 0x2028, 0x2029, 0x85, 0x3001, 0xFF0C, 0xFF1B, 0xFF0F, 0x60C, 0x61B, 0xFF5C:  // line ends, commas, slashes
      self = .divider
      return
    case 0xFF03, 0xFF5E, 0x223C, 0x301C:  // full-width number sign, tildes
      self = .extensionMark
      return
    default: break
    }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .decimalNumber: self = .digit(UInt8(properties.numericValue ?? 0))
    case .spaceSeparator: self = .space
    case .openPunctuation: self = .opening
    case .dashPunctuation, .closePunctuation, .connectorPunctuation, .otherPunctuation, .initialPunctuation,
      .finalPunctuation, .format:
      self = .separator
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark:
      self = .letter
    default: self = .symbol
    }
  }
}
