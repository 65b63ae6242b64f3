internal import DirectorySources

/// Two columns whose names say that they hold the first and the last numbers of ranges.
struct RangeColumns {
  typealias Column = SampledRows.Column

  var from: Column
  var to: Column

  private static let names = [
    ("from", "to"), ("start", "end"), ("begin", "end"), ("first", "last"), ("von", "bis"), ("de", "a"), ("du", "au"),
    ("desde", "hasta"), ("от", "до"), ("с", "по"),
  ]

  /// The first such pair among `columns`; nil where there is none.
  init?(_ columns: [Column]) {
    for (first, last) in Self.names {
      for from in columns where Self.words(from).contains(first) {
        // "phone_from" goes with "phone_to".
        let wanted = Self.words(from).map { $0 == first ? last : $0 }
        guard from.reference != nil, let to = columns.first(where: { Self.words($0) == wanted }) else { continue }
        (self.from, self.to) = (from, to)
        return
      }
    }
    return nil
  }

  private static func words(_ column: Column) -> [String] {
    column.title.split { !$0.isLetter }.map(String.init)
  }

  /// The two ends of each row that has both.
  var ends: [(from: String, to: String)] {
    zip(from.cells, to.cells).compactMap { from, to in
      guard let from = from.first, let to = to.first, !from.isEmpty, !to.isEmpty else { return nil }
      return (from, to)
    }
  }

  /// Whether nine of ten rows have two numbers of one length, the first not greater than the last; those of a list of
  /// calls, from one number to another, have not.
  var holdsRanges: Bool {
    let ends = ends
    let fitting = ends.count { from, to in
      let (first, last) = (Self.digits(from), Self.digits(to))
      return NumberShape.isNumber(from) && NumberShape.isNumber(to) && first.count >= 7
        && first.count == last.count && !last.lexicographicallyPrecedes(first)
    }
    return !ends.isEmpty && fitting * 10 >= ends.count * 9
  }

  private static func digits(_ text: String) -> [Int] { text.compactMap(\.wholeNumberValue) }
}
