internal import CallDirectory
internal import DirectorySources
internal import PlanFile
internal import ShardPlanning

/// Walks the rows once more, side by side under the plan's own providers and under each layout, to find what an app that is
/// updated from the layout loses until its user turns new extensions on.
final class LayoutComparison {
  /// The placements of one split, made again, a piece of numbers that go the same way at a time.
  private final class Side {
    /// What providers get of each number of the piece at hand.
    private(set) var entries: [(provider: Int, entry: DirectoryEntry)] = []
    /// How many numbers of the piece are left.
    private(set) var left = 0
    private var base: BaseEntries
    private let pass: PlacementPass

    init(_ base: DirectoryPublisher.Base, _ placement: DirectoryPublisher.Placement) {
      self.base = BaseEntries(base.isKept ? base.release : nil, in: base.folder, repeating: placement.passed)
      pass = placement.pass.again()
    }

    /// Has a piece at hand that begins with the first of `rest`.
    func turn(to rest: ClosedRange<PhoneNumber>, _ rows: UnsafeBufferPointer<SourceRow>) {
      guard left == 0 else { return }
      let part = base.look(up: rest)
      entries.removeAll(keepingCapacity: true)
      left = pass.place(part, rows, held: base.held) { entries.append(($0, $1.entry)) }.count
    }

    func pass(_ count: Int) { left -= count }
  }

  private let own: Side
  private let providers: [PlanProvider]
  private var layouts: [(name: String, side: Side, counter: StartingOffCounter?)] = []

  /// A comparison with the placement of the plan's own providers, which has not begun.
  init(_ base: DirectoryPublisher.Base, _ placement: DirectoryPublisher.Placement, _ providers: [PlanProvider]) {
    own = Side(base, placement)
    self.providers = providers
  }

  /// Adds the placement of a layout, which has not begun.
  func add(
    _ name: String, _ base: DirectoryPublisher.Base, _ placement: DirectoryPublisher.Placement,
    _ providers: [PlanProvider]
  ) {
    let counter = StartingOffCounter(providers.filter(\.isPlanned).map(\.id), self.providers)
    layouts.append((name, Side(base, placement), counter))
  }

  /// Compares. Returns by layout what starts off on phones that come from it.
  func result(_ rows: SortedRows) throws -> [[StartingOff]] {
    // Where every provider is known to a layout's phones nothing starts off there.
    let compared = layouts.indices.filter { layouts[$0].counter != nil }
    if !compared.isEmpty {
      try rows.forEachSegment { segment, group in
        var rest = segment
        while true {
          own.turn(to: rest, group)
          var count = own.left
          for layout in compared {
            layouts[layout].side.turn(to: rest, group)
            count = min(count, layouts[layout].side.left)
          }
          let numbers = rest.lowerBound...PhoneNumber(rest.lowerBound.rawValue + Int64(count - 1))
          for layout in compared { compare(layout, numbers) }
          own.pass(count)
          guard let left = DirectoryPublisher.rest(of: rest, behind: numbers.upperBound) else { break }
          rest = left
        }
      }
    }
    return layouts.map { $0.counter?.result(from: .layout($0.name)) ?? [] }
  }

  private func compare(_ layout: Int, _ numbers: ClosedRange<PhoneNumber>) {
    for (provider, entry) in own.entries { layouts[layout].counter?.take(provider, entry) }
    let had = layouts[layout].side.entries
    layouts[layout].counter?.end(
      numbers, hadBlock: had.contains { $0.entry.isBlocked }, hadLabel: had.contains { $0.entry.label != nil })
    layouts[layout].side.pass(DirectoryPublisher.count(numbers))
  }
}
