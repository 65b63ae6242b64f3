internal import CallDirectory

/// What a `PlacementPlanner` works on while it counts.
struct TallyState {
  var classifier: Classifier
  /// Entries by class.
  private(set) var counts: [Int] = []
  /// Where the entries lie, for groups that are to be cut; nil when there are none.
  private(set) var sketch: CutSketch?
  /// By area, by source: whether a row has it.
  private(set) var areaHasRows: [Bool]
  private(set) var sourceHasRows: [Bool]
  /// The first numbers that nobody claims.
  private(set) var unclaimedSamples: [PhoneNumber] = []

  /// By class: whether somebody claims it.
  private var isClaimed: [Bool] = []

  private static let sampleCount = 5

  init(classifier: Classifier, needsCuts: Bool, areaCount: Int, sourceCount: Int) {
    self.classifier = classifier
    sketch = needsCuts ? CutSketch() : nil
    areaHasRows = Array(repeating: false, count: areaCount)
    sourceHasRows = Array(repeating: false, count: sourceCount)
  }

  /// See `PlacementPlanner.tally`.
  @inline(__always)
  mutating func tally(
    _ number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>, _ held: HeldPlaces
  ) -> NumberFindings {
    for row in rows {
      areaHasRows[Int(row.area.rawValue)] = true
      sourceHasRows[row.source] = true
    }
    sketch?.advance(to: number, counts)
    let merged = MergedNumber(rows, classifier.matcher)
    let isBlocked = merged.isBlocked
    if isBlocked { count(number, .blocking, merged.blocking, held.blocking, isBlocked: true) }
    if merged.isIdentified {
      count(number, .identification, merged.identification, held.identification, isBlocked: isBlocked)
    }
    return merged.isUnlabelled ? .unlabelled : []
  }

  @inline(__always)
  private mutating func count(
    _ number: PhoneNumber, _ family: EntryFamily, _ entry: MergedNumber.Family, _ held: PlaceSet, isBlocked: Bool
  ) {
    let index = classifier.classify(number, family, entry, held, isBlocked: isBlocked)
    if index == counts.count {
      counts.append(0)
      isClaimed.append(!classifier.matcher.claimants(classifier.keys[index].set).isEmpty)
    }
    counts[index] += 1
    sketch?.add()
    if !isClaimed[index], unclaimedSamples.count < Self.sampleCount { unclaimedSamples.append(number) }
  }
}
