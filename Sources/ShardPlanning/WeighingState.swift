internal import CallDirectory

/// What a `PlacementPlanner` works on while it weighs entries against each other.
struct WeighingState {
  var classifier: Classifier
  let table: PlacementTable
  /// Which labels are dropped, while that is open.
  var selection: ScoreSelection?
  /// Who gets the places of providers that are filled by score, while that is open.
  var fill: ScoreFill?
  /// See `ScoreFill.init`.
  let isSplit: Bool

  /// See `PlacementPlanner.weigh`.
  mutating func weigh(
    _ numbers: ClosedRange<PhoneNumber>, _ rows: UnsafeBufferPointer<SourceRow>, _ held: HeldPlaces
  ) {
    let merged = MergedNumber(rows)
    let weighsBlock = fill != nil && merged.isBlocked
    guard weighsBlock || merged.isIdentified else { return }
    var rest = numbers
    while true {
      let number = rest.lowerBound
      let stretch = number < rest.upperBound ? classifier.stretch(of: rest) : 1
      if weighsBlock { weigh(number, stretch, .blocking, merged.blocking, rows, held.blocking, isBlocked: true) }
      if merged.isIdentified {
        weigh(
          number, stretch, .identification, merged.identification, rows, held.identification,
          isBlocked: merged.isBlocked)
      }
      let next = PhoneNumber(number.rawValue &+ Int64(stretch))
      guard number < rest.upperBound, next <= rest.upperBound else { return }
      rest = next...rest.upperBound
    }
  }

  @inline(__always)
  private mutating func weigh(
    _ number: PhoneNumber, _ stretch: Int, _ family: EntryFamily, _ entry: MergedNumber.Family,
    _ rows: UnsafeBufferPointer<SourceRow>, _ held: PlaceSet, isBlocked: Bool
  ) {
    let index = classifier.classify(number, family, entry, rows, held, isBlocked: isBlocked)
    guard !table.classes[index].copies.isEmpty else { return }
    let key = ScoreKey.of(number, rows, family)
    if stretch == 1 {
      for copy in table.classes[index].copies {
        selection?.add(copy.share, key)
        // What is dropped takes no part.
        if key >= table.shares[copy.share].threshold { fill?.add(copy.share, key) }
      }
    } else {
      // Of equal scores the higher number has the lower key.
      let keys = (key - UInt128(stretch - 1))...key
      for copy in table.classes[index].copies {
        selection?.add(copy.share, keys)
        let threshold = table.shares[copy.share].threshold
        if keys.upperBound >= threshold { fill?.add(copy.share, max(keys.lowerBound, threshold)...keys.upperBound) }
      }
    }
  }
}
