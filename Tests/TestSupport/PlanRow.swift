package import CallDirectory

/// A source row with an owned label, of one number or a range.
package struct PlanRow {
  package var number: Int64
  /// The last number of a range that begins at `number`; nil for a single one.
  package var last: Int64?
  package var action: EntryAction
  package var source: Int
  package var area: Int
  package var label: String
  package var score: Double?

  package init(
    number: Int64, last: Int64? = nil, action: EntryAction = .identify, source: Int = 0, area: Int = 0,
    label: String = "", score: Double? = nil
  ) {
    self.number = number
    self.last = last
    self.action = action
    self.source = source
    self.area = area
    self.label = label
    self.score = score
  }

  /// All numbers of the row.
  package var numbers: ClosedRange<Int64> { number...(last ?? number) }
}
