internal import CallDirectory
internal import PhoneNumbering

/// What a source asks of its rows, in the form the row loop uses.
struct RowPlan: Sendable {
  /// A cell value that stands for an action.
  struct Case: Sendable {
    var text: [UInt8]
    var action: EntryAction
  }

  let normaliser: PhoneNormaliser
  /// The action of rows that no case says otherwise about.
  let action: EntryAction
  /// Cell values with actions, in byte order.
  let cases: [Case]
  /// What stands between the numbers of a cell; empty where a cell holds one.
  let separator: [UInt8]
  /// Whether the other form of a number is added too.
  let aliases: Bool
  /// Reads the patterns or ranges of a source that has such; nil where it has numbers.
  let patterns: PatternNormaliser?
  /// Whether a row may come to several numbers.
  let hasSeveralNumbers: Bool
  /// What rows must hold to be taken.
  let filters: RowFilters
  /// Whether there are any.
  let hasFilters: Bool
  /// How the label is put together from several columns; nil where it is a column or nothing.
  let template: LabelTemplate?
  /// Whether there is one.
  let hasTemplate: Bool
  /// UTF-8 bytes of the longest label that is not cut.
  let maxLabelBytes: Int
  /// The areas that cells stand for; nil where they stand for themselves.
  let areaMap: AreaMap?
  /// Whether there is one.
  let hasAreaMap: Bool
  /// Whether the first refused row stops the run.
  let stopsAtBadRow: Bool

  init(_ source: SourceDescription, areaMap: AreaMap? = nil) {
    self.areaMap = areaMap
    hasAreaMap = areaMap != nil
    filters = RowFilters(source.filters)
    hasFilters = !source.filters.isEmpty
    if case .template(let pieces) = source.label { template = LabelTemplate(pieces) } else { template = nil }
    hasTemplate = template != nil
    maxLabelBytes = min(max(source.maxLabelBytes, LabelText.leastLimit), CallLabel.maximumBytes)
    normaliser = PhoneNormaliser(source.spelling)
    separator = Array((source.numberSeparator ?? "").utf8)
    aliases = source.aliases
    switch (source.format, source.numbers) {
    case (.patterns, _), (_, .pattern), (_, .range):
      patterns = PatternNormaliser(normaliser, maximumNumbers: source.maxPatternNumbers)
    default: patterns = nil
    }
    hasSeveralNumbers = !separator.isEmpty || aliases || patterns != nil
    stopsAtBadRow = source.onBadRow == .fail
    switch source.action {
    case .fixed(let action):
      self.action = action
      cases = []
    case .column(_, let values):
      action = .identify
      cases = values.map { Case(text: Array($0.key.utf8), action: $0.value) }
        .sorted { $0.text.lexicographicallyPrecedes($1.text) }
    }
  }

  /// The text from `start` up to the next separator or the end, and where the next one begins; nil behind the last.
  func piece(of cell: UnsafeRawBufferPointer, from start: Int) -> (text: UnsafeRawBufferPointer, next: Int)? {
    guard start <= cell.count else { return nil }
    var end = cell.count
    if let first = separator.first {
      var position = start
      while let found = ByteSearch.first(first, in: cell, from: position), found + separator.count <= cell.count {
        if separator.indices.allSatisfy({ cell[found + $0] == separator[$0] }) {
          end = found
          break
        }
        position = found + 1
      }
    }
    let next = end == cell.count ? end + 1 : end + separator.count
    return (UnsafeRawBufferPointer(rebasing: cell[start..<end]), next)
  }

  /// Occurrences of a row with `action`: its families, one where it has none.
  @inline(__always)
  static func occurrences(of action: EntryAction) -> Int { action == .both ? 2 : 1 }
}
