/// Phone cells as they stand in real tables and hold no number, or more than one.
enum MalformedPhone {
  static let kindCount = 11

  /// Writes the cell of one kind; `first` and `second` are numbers of the group, written before.
  static func write(kind: Int, _ first: UInt64, _ second: UInt64, to row: RowBuffer) {
    switch kind % kindCount {
    case 0: break
    case 1: row.append("нет телефона")
    case 2: row.append("None")
    case 3: row.append("8 (495) 12")
    case 4:
      // Sixteen digits and more: longer than E.164 allows.
      row.append(decimal: first)
      row.append(digits: second % 1_000_000, divisor: 100_000)
    case 5: row.append("8-800-SUPPORT")
    case 6: row.append("8885O6O539")
    case 7:
      row.append("+")
      row.append(decimal: first)
      row.append(", +")
      row.append(decimal: second)
    case 8:
      row.append("+")
      row.append(decimal: first)
      row.append(" (единая справочная)")
    case 9: row.append("0")
    default:
      // Twenty digits: more than fit an Int64.
      row.append(decimal: first)
      row.append(digits: second % 1_000_000_000, divisor: 100_000_000)
    }
  }
}
