internal import CallDirectory
internal import PhoneNumbering

/// For every number, the clauses whose number keys (`prefixes`, `countries`, `ranges`) hold: a step function over the
/// number line, since each key is a union of ranges.
struct NumberClauses: Sendable {
  /// First number of each step, ascending; the first step begins at `Int64.min`.
  private let starts: [Int64]
  private let sets: [ClauseSet]

  init(_ clauses: [ClaimClause]) {
    // A clause changes its value only where one of its ranges begins or has just ended.
    let holding = clauses.map(Self.ranges)
    var borders: Set<Int64> = [.min]
    for range in holding.joined() {
      borders.insert(range.lowerBound)
      if range.upperBound < .max { borders.insert(range.upperBound + 1) }
    }
    starts = borders.sorted()
    var sets = [ClauseSet](repeating: .none, count: starts.count)
    for (clause, ranges) in holding.enumerated() {
      var step = 0
      for range in ranges {
        while starts[step] < range.lowerBound { step += 1 }
        while step < starts.count, starts[step] <= range.upperBound {
          sets[step].insert(clause)
          step += 1
        }
      }
    }
    self.sets = sets
  }

  /// Turns `step`, a cursor owned by the caller, to the step of `number`: O(1) amortised for ascending numbers.
  @inline(__always)
  func advance(_ step: inout Int, to number: Int64) {
    if number < starts[step] { step = 0 }
    while step + 1 < starts.count, starts[step + 1] <= number { step += 1 }
  }

  /// The clauses that hold for the numbers of a step.
  func clauses(at step: Int) -> ClauseSet { sets[step] }

  /// The last number for which the same clauses hold as at `step`, where the caller's cursor is.
  func last(of step: Int) -> Int64 { step + 1 < starts.count ? starts[step + 1] - 1 : .max }

  /// The numbers for which all number keys of `clause` hold: disjoint ascending ranges.
  private static func ranges(_ clause: ClaimClause) -> [ClosedRange<Int64>] {
    var result: [ClosedRange<Int64>] = [.min ... .max]
    if let prefixes = clause.prefixes { result = intersect(result, union(prefixes.flatMap(Self.ranges(ofPrefix:)))) }
    if let countries = clause.countries {
      result = intersect(result, union(countries.flatMap { NumberingPlan.ranges(of: $0) }))
    }
    if let ranges = clause.ranges {
      result = intersect(result, union(ranges.map { $0.lowerBound.rawValue...$0.upperBound.rawValue }))
    }
    return result
  }

  /// The numbers of at most 15 digits that begin with `prefix`: one range for each length.
  static func ranges(ofPrefix prefix: String) -> [ClosedRange<Int64>] {
    guard let first = Int64(prefix), first > 0, prefix.utf8.count <= PhoneNumber.maximumDigits else { return [] }
    var ranges = [first...first]
    var (low, high) = (first, first)
    for _ in prefix.utf8.count..<PhoneNumber.maximumDigits {
      low *= 10
      high = high * 10 + 9
      ranges.append(low...high)
    }
    return ranges
  }

  /// Sorted, with overlapping and touching ranges joined.
  private static func union(_ ranges: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
    var result: [ClosedRange<Int64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, last.upperBound == .max || range.lowerBound <= last.upperBound + 1 {
        result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }

  /// The numbers in both; both are disjoint and ascending.
  private static func intersect(_ a: [ClosedRange<Int64>], _ b: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
    var result: [ClosedRange<Int64>] = []
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
      let low = max(a[i].lowerBound, b[j].lowerBound)
      let high = min(a[i].upperBound, b[j].upperBound)
      if low <= high { result.append(low...high) }
      if a[i].upperBound < b[j].upperBound { i += 1 } else { j += 1 }
    }
    return result
  }
}
