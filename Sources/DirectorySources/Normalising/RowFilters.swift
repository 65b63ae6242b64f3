/// What rows must hold to be taken, in the form the row loop uses.
struct RowFilters: Sendable {
  /// By filter: the cell texts that meet it.
  let values: [[[UInt8]]]

  init(_ filters: [RowFilter]) {
    values = filters.map { filter in
      filter.values.map { value in
        Array(value.utf8).withUnsafeBytes { Array(LabelText.trimmed($0)) }
      }
    }
  }

  /// Whether `cell` meets the filter at `index`, byte by byte.
  func isMet(_ index: Int, by cell: UnsafeRawBufferPointer) -> Bool {
    values[index].contains { value in
      value.count == cell.count && value.withUnsafeBytes { ByteSearch.isEqual($0, cell) }
    }
  }
}

/// What one thread has seen of a filter's column while no row was taken: enough to say why none was.
struct FilterSight {
  /// Whether a row met the filter.
  var isMet = false
  /// The first different values, with their places.
  var values: [Value] = []

  struct Value {
    var chunk: UInt32
    var line: Int
    var text: [UInt8]
  }

  /// How many values are kept.
  static let mostValues = 5
  /// The most bytes that are kept of one.
  static let mostBytes = 64

  /// Notes a cell.
  mutating func see(_ cell: UnsafeRawBufferPointer, chunk: UInt32, line: Int) {
    guard values.count < Self.mostValues else { return }
    let text = cell.prefix(Self.mostBytes)
    guard !values.contains(where: { $0.text.elementsEqual(text) }) else { return }
    values.append(Value(chunk: chunk, line: line, text: Array(text)))
  }

  /// Adds what another thread has seen; the first values in file order stay. A thread meets rows in ascending order, so
  /// every one of those is among its own first.
  mutating func add(_ other: FilterSight) {
    isMet = isMet || other.isMet
    var joined: [Value] = []
    for value in (values + other.values).sorted(by: { ($0.chunk, $0.line) < ($1.chunk, $1.line) }) {
      if joined.count < Self.mostValues, !joined.contains(where: { $0.text == value.text }) { joined.append(value) }
    }
    values = joined
  }
}

// MARK: Filtering rows

extension RowIntake {
  /// Whether the row is one that the source's filters leave out; counted then. Nothing else of it is looked at.
  @inline(never)
  mutating func isLeftOut(
    _ fields: UnsafeMutablePointer<FieldSpan>, count: Int, line: Int
  ) throws(ReadingFailure) -> Bool {
    // As long as no row was taken every filter is looked at, to be able to say which of them takes none.
    let isWatched = counts[source].rows == 0
    var isTaken = true
    for (index, position) in filterColumns.enumerated() {
      let cell =
        position < count
        ? LabelText.trimmed(try text(of: fields[position], in: cellScratch))
        : UnsafeRawBufferPointer(start: nil, count: 0)
      let isMet = plan.filters.isMet(index, by: cell)
      if !isMet {
        isTaken = false
        // A value is never missed because the file is not UTF-8 (B-122).
        if case .invalid(let offset) = LabelText.condition(of: cell) {
          throw invalidText(fields[position], offset: offset, column: position, line: line)
        }
      }
      guard isWatched else {
        if isTaken { continue } else { break }
      }
      if isMet { counts[source].filters[index].isMet = true }
      counts[source].filters[index].see(cell, chunk: chunk.index, line: line)
    }
    if !isTaken { counts[source].filteredRows += 1 }
    return !isTaken
  }
}
