internal import CallDirectory

/// What a `PlacementPlanner` works on while it weighs labels against each other.
struct WeighingState {
  var classifier: Classifier
  let table: PlacementTable
  var selection: ScoreSelection

  /// See `PlacementPlanner.weigh`.
  mutating func weigh(
    _ numbers: ClosedRange<PhoneNumber>, _ rows: UnsafeBufferPointer<SourceRow>, _ held: HeldPlaces
  ) {
    let merged = MergedNumber(rows, classifier.matcher)
    guard merged.isIdentified else { return }
    var rest = numbers
    while true {
      let number = rest.lowerBound
      let stretch = number < rest.upperBound ? classifier.stretch(of: rest) : 1
      weigh(number, stretch, merged, rows, held)
      let next = PhoneNumber(number.rawValue &+ Int64(stretch))
      guard number < rest.upperBound, next <= rest.upperBound else { return }
      rest = next...rest.upperBound
    }
  }

  @inline(__always)
  private mutating func weigh(
    _ number: PhoneNumber, _ stretch: Int, _ merged: MergedNumber, _ rows: UnsafeBufferPointer<SourceRow>,
    _ held: HeldPlaces
  ) {
    let index = classifier.classify(
      number, .identification, merged.identification, held.identification, isBlocked: merged.isBlocked)
    guard !table.classes[index].copies.isEmpty else { return }
    let key = ScoreKey.of(number, rows)
    if stretch == 1 {
      for copy in table.classes[index].copies { selection.add(copy.share, key) }
    } else {
      // Of equal scores the higher number has the lower key.
      for copy in table.classes[index].copies { selection.add(copy.share, (key - UInt128(stretch - 1))...key) }
    }
  }
}
