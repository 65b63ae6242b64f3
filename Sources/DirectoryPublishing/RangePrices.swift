internal import CallDirectory
internal import DirectorySources

/// Adds up what the patterns and ranges of each source come to while the segments pass by.
struct RangePrices {
  private let report: ReadingReport
  /// By source: whether it has patterns or ranges, and the numbers it has at all.
  private let hasRanges: [Bool]
  private var covered: [Int]
  private let isNeeded: Bool

  init(_ report: ReadingReport) {
    self.report = report
    hasRanges = report.sources.map { $0.counts.rangeRows > 0 }
    covered = Array(repeating: 0, count: report.sources.count)
    isNeeded = hasRanges.contains(true)
  }

  /// Counts a segment of `count` numbers for each source that has a row in it. `rows` are ordered by source.
  @inline(__always)
  mutating func add(_ rows: UnsafeBufferPointer<SourceRow>, count: Int) {
    if isNeeded { addNeeded(rows, count: count) }
  }

  private mutating func addNeeded(_ rows: UnsafeBufferPointer<SourceRow>, count: Int) {
    var last = -1
    for row in rows where row.source != last {
      last = row.source
      if hasRanges[last] { covered[last] += count }
    }
  }

  /// The prices of the sources that have one, in plan order.
  var prices: [PlanReport.RangePrice] {
    report.sources.indices.filter { hasRanges[$0] }.map { index in
      let counts = report.sources[index].counts
      return PlanReport.RangePrice(
        source: report.sources[index].id, rows: counts.rangeRows, numbers: counts.rangeNumbers,
        covered: covered[index])
    }
  }
}
