/// What one thread has counted of one source.
struct SourceTally {
  /// Findings of one code: how many, and the first ones.
  struct Group {
    var count = 0
    var examples: [ExampleDraft] = []
  }

  var rows = 0
  /// Rows that the source's filters left out; not in `rows`.
  var filteredRows = 0
  /// One per filter of the source.
  var filters: [FilterSight]
  var refusedRows = 0
  var read = 0
  var refused = 0
  /// Accepted rows that are patterns or ranges, and the numbers in them.
  var rangeRows = 0
  var rangeNumbers = 0
  var groups = [Group](repeating: Group(), count: FindingCode.count)

  /// Nothing counted yet of a source with so many filters.
  init(filters: Int = 0) { self.filters = Array(repeating: FilterSight(), count: filters) }

  /// Counts a finding. A thread meets rows in ascending order, so its first examples are its lowest.
  @inline(__always)
  mutating func count(_ code: FindingCode, example: () -> ExampleDraft) {
    groups[code.index].count += 1
    if keepsExample(of: code) { groups[code.index].examples.append(example()) }
  }

  /// Whether the next finding of a code is one of its first ones.
  func keepsExample(of code: FindingCode) -> Bool {
    groups[code.index].examples.count < FindingGroup.exampleLimit
  }

  /// Adds what another thread has counted; of all examples the first ones in file order stay.
  mutating func add(_ other: SourceTally) {
    rows += other.rows
    filteredRows += other.filteredRows
    for index in filters.indices { filters[index].add(other.filters[index]) }
    refusedRows += other.refusedRows
    read += other.read
    refused += other.refused
    rangeRows += other.rangeRows
    rangeNumbers += other.rangeNumbers
    for index in groups.indices {
      groups[index].count += other.groups[index].count
      let examples = groups[index].examples + other.groups[index].examples
      groups[index].examples = Array(
        examples.sorted { ($0.chunk, $0.line, $0.column ?? 0) < ($1.chunk, $1.line, $1.column ?? 0) }.prefix(
          FindingGroup.exampleLimit))
    }
  }
}

/// An example before the number of its line is known.
struct ExampleDraft {
  var chunk: UInt32
  /// Line within the chunk, from 0.
  var line: Int
  /// Field, from 0; nil for the whole row.
  var field: Int?
  /// Characters before the row on its line, as far as they lie in the chunk; nil where rows are lines.
  var column: Int?
  var raw: String
  var reason: String

  /// The most bytes of a row or field that are shown.
  static let rawLimit = 1024
}
