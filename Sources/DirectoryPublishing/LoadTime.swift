/// How long a phone takes to load entries, as measured on devices.
public enum LoadTime {
  /// What was measured: entries and seconds.
  public static let measured: [(entries: Int, seconds: Double)] = [
    (100_000, 3), (500_000, 15), (1_000_000, 32), (1_500_000, 58),
  ]

  /// Seconds for so many entries, blocks and labels alike: along straight lines from 0 through the measured points, and beyond the
  /// last along the line through the last two, so that 1,999,999 take 84 s. 0 for less than one.
  public static func seconds(entries: Int) -> Double {
    guard entries > 0 else { return 0 }
    var from = (entries: 0, seconds: 0.0)
    for (index, to) in measured.enumerated() {
      if entries <= to.entries || index == measured.count - 1 {
        let slope = (to.seconds - from.seconds) / Double(to.entries - from.entries)
        return from.seconds + slope * Double(entries - from.entries)
      }
      from = to
    }
    return from.seconds
  }
}
