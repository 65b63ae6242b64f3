/// Writes phone numbers the way the tables of their group do.
struct PhoneWriter {
  /// Weights are sixteenths.
  private enum Style: UInt8 {
    case trunkPlain, plusBrackets, trunkBrackets, plusPlain, brackets, sevenPlain, trunkDashes, plusBlanks
  }

  private static let moscow: [Style] = [
    .trunkPlain, .trunkPlain, .trunkPlain, .trunkPlain, .trunkPlain, .trunkPlain, .plusBrackets, .plusBrackets,
    .plusBrackets, .plusBrackets, .trunkBrackets, .trunkBrackets, .plusPlain, .plusPlain, .brackets, .sevenPlain,
  ]
  private static let russia: [Style] = [
    .plusBrackets, .plusBrackets, .plusBrackets, .plusBrackets, .plusBrackets, .plusBrackets, .trunkPlain, .trunkPlain,
    .trunkPlain, .trunkPlain, .trunkBrackets, .trunkBrackets, .trunkDashes, .trunkDashes, .plusBlanks, .brackets,
  ]

  private let callings = ForeignPlan.countries.map(\.calling)

  /// One number; `style` is any random value.
  @inline(__always)
  func write(_ number: UInt64, _ group: SampleGroup, place: UInt8, style: Int, to row: RowBuffer) {
    switch group {
    case .moscow: write(national: number % 10_000_000_000, Self.moscow[style & 15], to: row)
    case .russia: write(national: number % 10_000_000_000, Self.russia[style & 15], to: row)
    case .abroad: writeForeign(number, calling: callings[Int(place)], style: style & 7, to: row)
    }
  }

  @inline(__always)
  private func write(national: UInt64, _ style: Style, to row: RowBuffer) {
    let code = national / 10_000_000
    let rest = national % 10_000_000
    switch style {
    case .trunkPlain: row.append("8")
    case .plusPlain: row.append("+7")
    case .sevenPlain: row.append("7")
    case .plusBrackets: row.append("+7 (")
    case .trunkBrackets: row.append("8 (")
    case .brackets: row.append("(")
    case .trunkDashes: row.append("8-")
    case .plusBlanks: row.append("+7 ")
    }
    row.append(digits: code, divisor: 100)
    switch style {
    case .trunkPlain, .plusPlain, .sevenPlain: row.append(digits: rest, divisor: 1_000_000)
    case .plusBrackets, .trunkBrackets, .brackets:
      row.append(") ")
      writeSeven(rest, separator: 45, to: row)
    case .trunkDashes:
      row.append("-")
      writeSeven(rest, separator: 45, to: row)
    case .plusBlanks:
      row.append(" ")
      writeSeven(rest, separator: 32, to: row)
    }
  }

  @inline(__always)
  private func writeSeven(_ rest: UInt64, separator: UInt8, to row: RowBuffer) {
    row.append(digits: rest / 10_000, divisor: 100)
    row.append(separator)
    row.append(digits: rest / 100 % 100, divisor: 10)
    row.append(separator)
    row.append(digits: rest % 100, divisor: 10)
  }

  /// Always with `+`: without it a number of one country is silently another's.
  @inline(__always)
  private func writeForeign(_ number: UInt64, calling: UInt64, style: Int, to row: RowBuffer) {
    row.append("+")
    if style < 4 {
      row.append(decimal: number)
      return
    }
    row.append(decimal: calling)
    var power: UInt64 = 1
    while number / power != calling { power *= 10 }
    let national = number % power
    // Three digits that may be an area code, then the rest in threes and fours, as most countries write them.
    let low = power / 1000
    let separator: UInt8 = style == 7 ? 45 : 32
    row.append(separator)
    if style == 6 { row.append("(") }
    row.append(digits: national / low, divisor: 100)
    if style == 6 { row.append(")") }
    row.append(separator)
    let rest = national % low
    if low > 10_000 {
      row.append(digits: rest / 10_000, divisor: low / 100_000)
      row.append(separator)
      row.append(digits: rest % 10_000, divisor: 1000)
    } else {
      row.append(digits: rest, divisor: low / 10)
    }
  }
}
