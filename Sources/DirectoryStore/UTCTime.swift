/// A point in time for messages, in UTC.
struct UTCTime: CustomStringConvertible {
  var unixSeconds: Int64

  /// `2026-01-31 12:00:00 UTC`; the bare number outside the years 1970 … 9999.
  var description: String {
    guard (0..<253_402_300_800).contains(unixSeconds) else { return "\(unixSeconds)" }
    let (days, second) = (unixSeconds / 86_400, unixSeconds % 86_400)
    // Days to civil date over eras of 400 years that begin on 1 March (H. Hinnant, "chrono-compatible low-level date
    // algorithms").
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let date = "\(year)-\(Self.twoDigits(month))-\(Self.twoDigits(day))"
    let time = [second / 3600, second / 60 % 60, second % 60].map(Self.twoDigits).joined(separator: ":")
    return "\(date) \(time) UTC"
  }

  private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
