internal import CallDirectory

/// What a `PlacementPlanner` works on while it counts.
///
/// What each number touches lies in buffers, for the reason given in `PlacementState`.
struct TallyState: ~Copyable {
  var classifier: Classifier
  /// Entries by class.
  private(set) var counts: [Int] = []
  /// Where the entries lie, for groups that are to be cut; nil when there are none.
  private(set) var sketch: CutSketch?
  /// By area, by source: whether a row has it.
  let areaHasRows: UnsafeMutableBufferPointer<Bool>
  let sourceHasRows: UnsafeMutableBufferPointer<Bool>
  /// The first numbers that nobody claims.
  private(set) var unclaimedSamples: [PhoneNumber] = []

  /// By class: whether somebody claims it.
  private var isClaimed: [Bool] = []

  private static let sampleCount = 5

  init(classifier: Classifier, needsCuts: Bool, areaCount: Int, sourceCount: Int) {
    self.classifier = classifier
    sketch = needsCuts ? CutSketch() : nil
    areaHasRows = .allocate(capacity: areaCount)
    areaHasRows.initialize(repeating: false)
    sourceHasRows = .allocate(capacity: sourceCount)
    sourceHasRows.initialize(repeating: false)
  }

  deinit {
    areaHasRows.deallocate()
    sourceHasRows.deallocate()
  }

  /// See `PlacementPlanner.tally`.
  @inline(__always)
  mutating func tally(
    _ numbers: ClosedRange<PhoneNumber>, _ rows: UnsafeBufferPointer<SourceRow>, _ held: HeldPlaces
  ) -> NumberFindings {
    for row in rows {
      areaHasRows[Int(row.area.rawValue)] = true
      sourceHasRows[row.source] = true
    }
    let merged = MergedNumber(rows)
    let isBlocked = merged.isBlocked
    var rest = numbers
    while true {
      let number = rest.lowerBound
      sketch?.advance(to: number, counts)
      let stretch = number < rest.upperBound ? stretch(of: rest, merged) : 1
      if isBlocked { count(number, stretch, .blocking, merged.blocking, rows, held.blocking, isBlocked: true) }
      if merged.isIdentified {
        count(
          number, stretch, .identification, merged.identification, rows, held.identification, isBlocked: isBlocked)
      }
      let next = PhoneNumber(number.rawValue &+ Int64(stretch))
      guard number < rest.upperBound, next <= rest.upperBound else { break }
      rest = next...rest.upperBound
    }
    return merged.isUnlabelled ? .unlabelled : []
  }

  /// How many numbers may be counted at once.
  private mutating func stretch(of numbers: ClosedRange<PhoneNumber>, _ merged: MergedNumber) -> Int {
    let families = (merged.isBlocked ? 1 : 0) + (merged.isIdentified ? 1 : 0)
    return min(classifier.stretch(of: numbers), sketch?.room(families) ?? .max)
  }

  /// Counts the entries of `stretch` numbers from `number` on.
  @inline(__always)
  private mutating func count(
    _ number: PhoneNumber, _ stretch: Int, _ family: EntryFamily, _ entry: MergedNumber.Family,
    _ rows: UnsafeBufferPointer<SourceRow>, _ held: PlaceSet, isBlocked: Bool
  ) {
    let index = classifier.classify(number, family, entry, rows, held, isBlocked: isBlocked)
    if index == counts.count {
      counts.append(0)
      isClaimed.append(!classifier.matcher.claimants(classifier.keys[index].set).isEmpty)
    }
    counts[index] += stretch
    sketch?.add(stretch)
    if !isClaimed[index] {
      for offset in 0..<min(stretch, Self.sampleCount - unclaimedSamples.count) {
        unclaimedSamples.append(PhoneNumber(number.rawValue &+ Int64(offset)))
      }
    }
  }
}
