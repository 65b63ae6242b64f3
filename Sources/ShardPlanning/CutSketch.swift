internal import CallDirectory

/// How the entries of each class lie along the number line, for the cuts of groups that have none yet: counts of all classes at marks
/// that stand a stride of entries apart. Marks are thinned out as the directory grows, so memory is bounded, and what
/// lies between two marks is exact.
struct CutSketch {
  /// The first number behind each mark, ascending.
  private(set) var numbers: [Int64] = []
  /// By mark and class: entries before it; classes that came later are missing at the end.
  private(set) var counts: [[UInt32]] = []

  private var stride = 1
  private var since = 0

  private static let mostMarks = 4096
  private static let mostCounts = 1 << 20
  private static let fewestMarks = 256

  /// Sets a mark before `number` when it is time for one. Numbers ascend.
  @inline(__always)
  mutating func advance(to number: PhoneNumber, _ counts: [Int]) {
    if since >= stride { mark(number.rawValue, counts) }
  }

  /// Notes entries of the number at hand, or of consecutive ones.
  @inline(__always)
  mutating func add(_ entries: Int) { since &+= entries }

  /// How many consecutive numbers with so many entries each may be noted before it is time for a mark. Requires: `advance` was
  /// called for the first.
  func room(_ entriesPerNumber: Int) -> Int {
    entriesPerNumber == 0 ? .max : (max(stride - since, 1) + entriesPerNumber - 1) / entriesPerNumber
  }

  private mutating func mark(_ number: Int64, _ current: [Int]) {
    numbers.append(number)
    counts.append(current.map { UInt32(truncatingIfNeeded: $0) })
    since = 0
    let isFull =
      numbers.count > Self.mostMarks
      || numbers.count > Self.fewestMarks && numbers.count * current.count > Self.mostCounts
    guard isFull else { return }
    stride *= 2
    numbers = numbers.enumerated().filter { $0.offset & 1 == 1 }.map(\.element)
    counts = counts.enumerated().filter { $0.offset & 1 == 1 }.map(\.element)
  }

  /// Where to cut so that `copies` parts have about equally many of the entries of the classes in `members`, of which
  /// there are `total`.
  func cuts(_ copies: Int, members: [Int], total: Int) -> [PhoneNumber] {
    let before = counts.map { counts in
      members.reduce(0) { $0 + ($1 < counts.count ? Int(counts[$1]) : 0) }
    }
    var cuts: [PhoneNumber] = []
    var next = 0
    for part in 1..<max(copies, 1) {
      let target = (total * part + copies - 1) / copies
      let first = next
      while next < before.count, before[next] < target { next += 1 }
      // The mark before may be nearer to the target.
      if next > first, next == before.count || target - before[next - 1] < before[next] - target { next -= 1 }
      guard next < before.count else { break }
      cuts.append(PhoneNumber(numbers[next]))
      next += 1
    }
    return cuts
  }

  /// Entries of each class by segment. Requires: every start of a segment is a mark, or comes from a group that had been
  /// cut before.
  func split(_ totals: [Int], at cuts: [Int64]) -> [[Int]] {
    var result: [[Int]] = []
    var done = [Int](repeating: 0, count: totals.count)
    for cut in cuts {
      let mark = numbers.firstIndex(of: cut)
      let until =
        mark.map { mark in totals.indices.map { $0 < counts[mark].count ? Int(counts[mark][$0]) : 0 } } ?? done
      result.append(zip(until, done).map { $0 - $1 })
      done = until
    }
    result.append(zip(totals, done).map { $0 - $1 })
    return result
  }
}
