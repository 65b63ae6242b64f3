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
  /// Whether the first refused row stops the run.
  let stopsAtBadRow: Bool

  init(_ source: SourceDescription) {
    normaliser = PhoneNormaliser(source.spelling)
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

  /// Occurrences of a row with `action`: its families, one where it has none.
  @inline(__always)
  static func occurrences(of action: EntryAction) -> Int { action == .both ? 2 : 1 }
}
