/// The keys of one share of entries as a `ScoreFill` knows them: how many there are in each of some ranges, which are split walk by walk
/// where it matters. Memory is bounded by the buckets that are opened.
struct ScoreCells {
  /// Keys between the least and the greatest that were met.
  private struct Cell {
    var least: UInt128
    var greatest: UInt128
    var count: Int
    /// Entries in the cells before it.
    var start = 0
  }

  /// A cell that is being split.
  private struct Window {
    let low: UInt128
    let high: UInt128
    let shift: Int
    var buckets: [Cell]

    init(_ low: UInt128, _ high: UInt128, buckets: Int) {
      self.low = low
      self.high = high
      var shift = 0
      while (high - low) >> UInt128(shift) >= UInt128(buckets) { shift += 1 }
      self.shift = shift
      self.buckets = Array(repeating: Cell(least: .max, greatest: 0, count: 0), count: buckets)
    }

    @inline(__always)
    mutating func add(_ key: UInt128) {
      let bucket = Int(truncatingIfNeeded: (key - low) >> UInt128(shift))
      buckets[bucket].count += 1
      buckets[bucket].least = min(buckets[bucket].least, key)
      buckets[bucket].greatest = max(buckets[bucket].greatest, key)
    }

    mutating func add(_ keys: ClosedRange<UInt128>) {
      guard keys.overlaps(low...high) else { return }
      let keys = keys.clamped(to: low...high)
      var key = keys.lowerBound
      while true {
        let bucket = Int(truncatingIfNeeded: (key - low) >> UInt128(shift))
        // The last key of the bucket; the last bucket may reach beyond all keys.
        let (end, overflow) = (low + UInt128(bucket) << UInt128(shift))
          .addingReportingOverflow((1 << UInt128(shift)) - 1)
        let last = overflow ? keys.upperBound : min(end, keys.upperBound)
        buckets[bucket].count += Int(last - key) + 1
        buckets[bucket].least = min(buckets[bucket].least, key)
        buckets[bucket].greatest = max(buckets[bucket].greatest, last)
        if last == keys.upperBound { return }
        key = last + 1
      }
    }

    /// The cells that were met, highest first.
    var found: [Cell] { buckets.reversed().filter { $0.count > 0 } }
  }

  /// Highest first.
  private var cells: [Cell]
  /// Lowest first, each with the position of its cell.
  private var windows: [(cell: Int, window: Window)] = []
  /// Whether nothing has been noted yet.
  private(set) var isOpenEnded = true

  /// `count` keys of which nothing is known.
  init(count: Int) { cells = [Cell(least: 0, greatest: .max, count: count)] }

  /// Notes all keys in the next walk, in `buckets` by their leading bits.
  mutating func openAll(buckets: Int) { windows = [(0, Window(0, .max, buckets: buckets))] }

  /// Splits the cells at `positions` into `buckets` parts each in the next walk.
  mutating func open(_ positions: Set<Int>, buckets: Int) {
    windows = positions.sorted(by: >).map { ($0, Window(cells[$0].least, cells[$0].greatest, buckets: buckets)) }
  }

  /// Notes a key.
  @inline(__always)
  mutating func add(_ key: UInt128) {
    if windows.isEmpty { return }
    var (low, high) = (0, windows.count)
    while low < high {
      let middle = low + (high - low) / 2
      if windows[middle].window.low <= key { low = middle + 1 } else { high = middle }
    }
    guard low > 0, key <= windows[low - 1].window.high else { return }
    windows[low - 1].window.add(key)
  }

  /// Notes each of consecutive keys. O(windows + buckets).
  mutating func add(_ keys: ClosedRange<UInt128>) {
    for index in windows.indices { windows[index].window.add(keys) }
  }

  /// Takes in what the walk noted.
  mutating func close() {
    guard !windows.isEmpty else { return }
    var parts: [Int: [Cell]] = [:]
    for (cell, window) in windows { parts[cell] = window.found }
    windows = []
    isOpenEnded = false
    cells = cells.enumerated().flatMap { index, cell in parts[index] ?? [cell] }
    var start = 0
    for index in cells.indices {
      cells[index].start = start
      start += cells[index].count
    }
  }

  /// Calls `body` with each cell that has some of `ranks`: its position, how many of them it has, and its ends.
  func forEach(in ranks: Range<Int>, _ body: (Int, Int, UInt128, UInt128) -> Void) {
    guard !ranks.isEmpty else { return }
    for index in cell(of: ranks.lowerBound)..<cells.count {
      let cell = cells[index]
      if cell.start >= ranks.upperBound { return }
      let count = min(cell.start + cell.count, ranks.upperBound) - max(cell.start, ranks.lowerBound)
      if count > 0 { body(index, count, cell.least, cell.greatest) }
    }
  }

  /// The cell that has ranks on both sides of the border before `rank`, if it can be split.
  func cell(across rank: Int) -> Int? {
    guard rank > 0, let last = cells.last, rank < last.start + last.count else { return nil }
    let index = cell(of: rank)
    return cells[index].start < rank && cells[index].least < cells[index].greatest ? index : nil
  }

  /// The least of the `count` highest keys. Requires: a cell ends there.
  func leastKey(ofTop count: Int) -> UInt128 { cells[cell(of: count - 1)].least }

  /// The cell of a rank.
  private func cell(of rank: Int) -> Int {
    var (low, high) = (0, cells.count)
    while low < high {
      let middle = low + (high - low) / 2
      if cells[middle].start + cells[middle].count <= rank { low = middle + 1 } else { high = middle }
    }
    return min(low, cells.count - 1)
  }
}
