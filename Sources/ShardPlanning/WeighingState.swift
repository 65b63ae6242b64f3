internal import CallDirectory

/// What a `PlacementPlanner` works on while it weighs labels against each other.
struct WeighingState {
  var classifier: Classifier
  let table: PlacementTable
  var selection: ScoreSelection

  /// See `PlacementPlanner.weigh`.
  mutating func weigh(_ number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>, _ held: HeldPlaces) {
    let merged = MergedNumber(rows, classifier.matcher)
    guard merged.isIdentified else { return }
    let index = classifier.classify(
      number, .identification, merged.identification, held.identification, isBlocked: merged.isBlocked)
    guard !table.classes[index].copies.isEmpty else { return }
    let key = ScoreKey.of(number, rows)
    for copy in table.classes[index].copies { selection.add(copy.share, key) }
  }
}
