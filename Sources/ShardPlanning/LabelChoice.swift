internal import CallDirectory

/// Chooses among the labels that one source gives a number.
enum LabelChoice {
  /// Up to so many rows, each label is compared with each; more are sorted, which takes memory.
  private static let mostCompared = 16

  /// The row whose label counts: `first`, or a later one of its source by `rule`; of equals the first. Rows of a source
  /// stand together. O(rows), O(rows · log rows) for `mostFrequent`; allocates only for that and more than 16 rows.
  ///
  /// Requires: the row at `first` identifies and has a label, and no earlier row of its source does.
  static func row(_ rows: UnsafeBufferPointer<SourceRow>, from first: Int, _ rule: RepeatRule) -> Int {
    switch rule {
    case .first: first
    case .highestScore: highestScore(rows, from: first)
    case .mostFrequent: mostFrequent(rows, from: first)
    }
  }

  private static func highestScore(_ rows: UnsafeBufferPointer<SourceRow>, from first: Int) -> Int {
    var best = first
    for index in first + 1..<end(rows, from: first) where hasLabel(rows[index]) {
      guard let score = rows[index].score else { continue }
      if let most = rows[best].score, most >= score { continue }
      best = index
    }
    return best
  }

  private static func mostFrequent(_ rows: UnsafeBufferPointer<SourceRow>, from first: Int) -> Int {
    let end = end(rows, from: first)
    if end - first > mostCompared { return mostFrequentOfMany(rows, first..<end) }
    var (best, most) = (first, 0)
    for index in first..<end where hasLabel(rows[index]) {
      var count = 0
      // A label that stands further up was counted there.
      for other in index..<end where hasLabel(rows[other]) && isSame(rows[index], rows[other]) { count += 1 }
      if count > most { (best, most) = (index, count) }
    }
    return best
  }

  private static func mostFrequentOfMany(_ rows: UnsafeBufferPointer<SourceRow>, _ range: Range<Int>) -> Int {
    let sorted = range.filter { hasLabel(rows[$0]) }.sorted { left, right in
      if isSame(rows[left], rows[right]) { return left < right }
      return rows[left].label.lexicographicallyPrecedes(rows[right].label)
    }
    var (best, most) = (range.lowerBound, 0)
    var start = 0
    while start < sorted.count {
      var next = start + 1
      while next < sorted.count, isSame(rows[sorted[start]], rows[sorted[next]]) { next += 1 }
      let count = next - start
      if count > most || count == most && sorted[start] < best { (best, most) = (sorted[start], count) }
      start = next
    }
    return best
  }

  /// The index behind the last row of the source.
  private static func end(_ rows: UnsafeBufferPointer<SourceRow>, from first: Int) -> Int {
    var end = first + 1
    while end < rows.count, rows[end].source == rows[first].source { end += 1 }
    return end
  }

  private static func hasLabel(_ row: SourceRow) -> Bool {
    !row.label.isEmpty && (row.action == .identify || row.action == .both)
  }

  private static func isSame(_ left: SourceRow, _ right: SourceRow) -> Bool { left.label.elementsEqual(right.label) }
}
