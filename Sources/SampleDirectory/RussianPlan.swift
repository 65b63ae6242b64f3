/// Draws numbers from the assigned ranges of the Russian numbering plan.
struct RussianPlan {
  private struct Span {
    let first: UInt64
    let count: Int
    let place: UInt8
  }

  /// Cities, numbered as ``PhonePlace`` does: Москва, Санкт-Петербург, then the others.
  let cities: BytePool

  private let spans: [Span]
  private let moscow: (spans: [Int], table: AliasTable)
  private let russia: (spans: [Int], table: AliasTable)

  /// Reads the generated table: about 8,000 spans, a millisecond.
  init() {
    var spans: [Span] = []
    var cities: [String] = []
    let table = RussianRanges.table.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    for line in table.split(separator: "\n") {
      let parts = line.split(separator: ":")
      let place = parts[0] == "*" ? Self.anywhere : UInt8(cities.count)
      if place != Self.anywhere { cities.append(String(parts[0])) }
      for code in parts[1].split(separator: ";") {
        let words = code.split(separator: " ")
        let base = 70_000_000_000 + (UInt64(words[0]) ?? 0) * 10_000_000
        for word in words.dropFirst() {
          let ends = word.split(separator: "+").map { Int($0) ?? 0 }
          spans.append(
            Span(
              first: base + UInt64(ends[0]) * 10_000, count: (ends.count > 1 ? ends[1] + 1 : 1) * 10_000, place: place))
        }
      }
    }
    func choice(_ accepts: (UInt8) -> Bool) -> ([Int], AliasTable) {
      let chosen = spans.indices.filter { accepts(spans[$0].place) }
      return (chosen, AliasTable(chosen.map { Self.weight(spans[$0]) }))
    }
    moscow = choice { $0 < 2 || $0 == Self.anywhere }
    russia = choice { $0 >= 2 }
    self.spans = spans
    self.cities = BytePool(cities)
  }

  /// A number of the group and the city it belongs to.
  @inline(__always)
  func draw(_ group: SampleGroup, _ random: inout SampleRandom) -> (number: UInt64, place: UInt8) {
    let span =
      group == .moscow
      ? spans[moscow.spans[moscow.table.draw(&random)]] : spans[russia.spans[russia.table.draw(&random)]]
    let number = span.first + UInt64(random.below(span.count))
    guard span.place == Self.anywhere else { return (number, span.place) }
    // A free-phone number belongs to no region; its company stands somewhere all the same.
    return (number, group == .moscow ? UInt8(random.below(10) / 7) : UInt8(2 + random.below(cities.count - 2)))
  }

  private static let anywhere = UInt8.max

  /// Capacity alone would make 85 % of all numbers mobile, as among small businesses; with these factors about half
  /// are, as in a whole directory. Free-phone numbers are few in the table, but far better used.
  private static func weight(_ span: Span) -> Double {
    switch span.first / 10_000_000 % 1000 {
    case 900...: 0.14 * Double(span.count)
    case 800..<801: 6 * Double(span.count)
    default: Double(span.count)
    }
  }
}
