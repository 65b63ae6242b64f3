internal import CallDirectory

/// The ranges that cover the place where a walk over the rows stands.
///
/// Holds a copy of each range's label until the walk is past its last number, so memory is that of the ranges that are
/// open at the same time. A step costs O(open ranges), no more than handing their rows on.
final class OpenRanges {
  private struct Open {
    var row: SourceRow
    var last: Int64
    var label: UnsafeMutableRawPointer?
  }

  /// In the order of source, file and line.
  private var ranges: [Open] = []
  private var rows: UnsafeMutablePointer<SourceRow>
  private var capacity = 16
  /// Where the next segment begins while ranges are open; nil without any.
  private(set) var next: UInt64?

  init() { rows = .allocate(capacity: capacity) }

  deinit {
    for range in ranges { range.label?.deallocate() }
    rows.deallocate()
  }

  @inline(__always)
  var isEmpty: Bool { next == nil }

  /// Opens a range that begins where the walk stands. The label is copied.
  func add(_ row: SourceRow, last: Int64) {
    var open = Open(row: row, last: last, label: nil)
    if let bytes = row.label.baseAddress, !row.label.isEmpty {
      let copy = UnsafeMutableRawPointer.allocate(byteCount: row.label.count, alignment: 1)
      copy.copyMemory(from: bytes, byteCount: row.label.count)
      open.label = copy
      open.row.label = UnsafeRawBufferPointer(start: copy, count: row.label.count)
    }
    // Ranges that begin at the same number come in order, so the place is mostly the end.
    var place = ranges.count
    while place > 0, Self.isBefore(row, ranges[place - 1].row) { place -= 1 }
    ranges.insert(open, at: place)
    next = UInt64(bitPattern: row.number.rawValue)
  }

  /// The longest run of numbers from `first` that has the rows that cover `first`, and these rows: those of the open
  /// ranges and `points`, which have the number itself. `following` is the number of the next record.
  func segment(
    from first: Int64, with points: UnsafeMutableBufferPointer<SourceRow>, before following: UInt64
  ) -> (last: Int64, rows: UnsafeMutableBufferPointer<SourceRow>) {
    reserve(ranges.count + points.count)
    var last = points.isEmpty ? Int64(clamping: following &- 1) : first
    var count = 0
    var point = 0
    for range in ranges {
      while point < points.count, Self.isBefore(points[point], range.row) {
        (rows + count).initialize(to: points[point])
        point += 1
        count += 1
      }
      (rows + count).initialize(to: range.row)
      rows[count].number = PhoneNumber(first)
      count += 1
      last = min(last, range.last)
    }
    while point < points.count {
      (rows + count).initialize(to: points[point])
      point += 1
      count += 1
    }
    return (last, UnsafeMutableBufferPointer(start: rows, count: count))
  }

  /// The walk is past `last`: ranges that end there are closed.
  func close(through last: Int64) {
    var kept = 0
    for index in ranges.indices {
      if ranges[index].last > last {
        if kept < index { ranges[kept] = ranges[index] }
        kept += 1
      } else {
        ranges[index].label?.deallocate()
      }
    }
    ranges.removeLast(ranges.count - kept)
    next = kept == 0 ? nil : UInt64(bitPattern: last &+ 1)
  }

  private static func isBefore(_ left: SourceRow, _ right: SourceRow) -> Bool {
    (left.file, left.line) < (right.file, right.line)
  }

  private func reserve(_ count: Int) {
    guard count > capacity else { return }
    rows.deallocate()
    capacity = max(count, capacity * 2)
    rows = .allocate(capacity: capacity)
  }
}
