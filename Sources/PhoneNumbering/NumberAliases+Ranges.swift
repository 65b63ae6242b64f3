public import CallDirectory

extension NumberAliases {
  /// The other forms of the numbers in `range`, as ranges: what `otherForm(of:)` gives for each of them. Empty where the
  /// country has no such forms. O(1).
  public static func otherForms(of range: ClosedRange<PhoneNumber>) -> [ClosedRange<PhoneNumber>] {
    var forms: [ClosedRange<PhoneNumber>] = []
    func add(_ values: ClosedRange<Int64>) {
      let lower = max(values.lowerBound, range.lowerBound.rawValue)
      let upper = min(values.upperBound, range.upperBound.rawValue)
      // Within one of the stretches all numbers move by the same distance.
      guard lower <= upper, let other = otherForm(of: PhoneNumber(lower)) else { return }
      forms.append(other...PhoneNumber(other.rawValue + upper - lower))
    }
    let ten = powerOfTen(10)
    add(52 * ten + 2_000_000_000...53 * ten - 1)
    add(521 * ten + 2_000_000_000...522 * ten - 1)
    add(54 * ten + 1_000_000_000...54 * ten + 3_999_999_999)
    add(549 * ten + 1_000_000_000...549 * ten + 3_999_999_999)
    guard range.upperBound.rawValue >= 55 * ten, range.lowerBound.rawValue < 560 * ten else { return forms }
    for area in 5511...5599 as ClosedRange<Int64> {
      add(area * 100_000_000 + 60_000_000...area * 100_000_000 + 99_999_999)
      add(area * 1_000_000_000 + 960_000_000...area * 1_000_000_000 + 999_999_999)
    }
    return forms
  }
}
