public import CallDirectory

/// Numbers that one line is known by in more than one spelling: Mexico with and without the 1 behind 52, Argentine
/// mobiles with and without the 9 behind 54, Brazilian mobiles with eight digits and with the ninth.
///
/// Normalisation folds only what is no longer a number at all (Mexico). The others stay what they are, because a digit
/// must never be guessed; a source may ask for every form to be installed.
public enum NumberAliases {
  /// Every form of the line, ascending, `number` among them; `number` alone where its country has no such forms.
  public static func forms(of number: PhoneNumber) -> [PhoneNumber] {
    guard let other = otherForm(of: number) else { return [number] }
    return [number, other].sorted()
  }

  /// The other form of the line; nil where its country has no such forms. No allocation.
  public static func otherForm(of number: PhoneNumber) -> PhoneNumber? {
    otherForm(of: number.rawValue).map { PhoneNumber($0) }
  }

  private static func otherForm(of value: Int64) -> Int64? {
    let ten = powerOfTen(10)
    switch value {
    case 52 * ten + 2_000_000_000..<53 * ten:  // 52 and ten digits: the 1 goes behind 52
      return 521 * ten + value % ten
    case 521 * ten + 2_000_000_000..<522 * ten:
      return 52 * ten + value % ten
    case 54 * ten + 1_000_000_000..<54 * ten + 4_000_000_000:  // area codes begin with 1, 2 or 3
      return 549 * ten + value % ten
    case 549 * ten + 1_000_000_000..<549 * ten + 4_000_000_000:
      return 54 * ten + value % ten
    case 55 * ten + 1_100_000_000..<56 * ten:  // 55, two digits of area, eight of a number that began with 6 … 9
      let line = value % powerOfTen(8)
      guard line >= 60_000_000 else { return nil }
      return (value / powerOfTen(8)) * powerOfTen(9) + 900_000_000 + line
    case 551 * ten + 1_000_000_000..<560 * ten:  // 55, area, 9 and eight digits
      let line = value % powerOfTen(9)
      guard line >= 960_000_000 else { return nil }
      return (value / powerOfTen(9)) * powerOfTen(8) + line - 900_000_000
    default:
      return nil
    }
  }

  /// The present form of a national number that is only an old spelling; nil for any other. Without a calling code in
  /// front the present form must be assigned, because eleven digits that begin with 1 may be a foreign number.
  @inline(__always)
  static func folding(_ national: DigitRun, _ rules: NumberingRules, isInternational: Bool) -> DigitRun? {
    guard rules.callingCode == 52, national.count == 11, national[0] == 1 else { return nil }
    let present = national.dropping(1)
    return (isInternational ? rules.general : rules.assigned).matches(present) ? present : nil
  }
}
