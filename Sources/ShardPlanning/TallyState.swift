internal import CallDirectory

/// What a `PlacementPlanner` works on while it counts.
struct TallyState {
  var classifier: Classifier
  /// By area, by source: whether a row has it.
  private(set) var areaHasRows: [Bool]
  private(set) var sourceHasRows: [Bool]
  /// The first numbers that nobody claims.
  private(set) var unclaimedSamples: [PhoneNumber] = []

  private static let sampleCount = 5

  init(classifier: Classifier, areaCount: Int, sourceCount: Int) {
    self.classifier = classifier
    areaHasRows = Array(repeating: false, count: areaCount)
    sourceHasRows = Array(repeating: false, count: sourceCount)
  }

  /// See `PlacementPlanner.tally`.
  @inline(__always)
  mutating func tally(_ number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>) -> NumberFindings {
    for row in rows {
      areaHasRows[Int(row.area.rawValue)] = true
      sourceHasRows[row.source] = true
    }
    let merged = MergedNumber(rows, classifier.matcher)
    if merged.isBlocked { count(number, .blocking, merged.blocking) }
    if merged.isIdentified { count(number, .identification, merged.identification) }
    return merged.isUnlabelled ? .unlabelled : []
  }

  private mutating func count(_ number: PhoneNumber, _ family: EntryFamily, _ entry: MergedNumber.Family) {
    let index = classifier.classify(number, family, entry)
    classifier.classes[index].count += 1
    if classifier.classes[index].claimants.isEmpty, unclaimedSamples.count < Self.sampleCount {
      unclaimedSamples.append(number)
    }
  }
}
