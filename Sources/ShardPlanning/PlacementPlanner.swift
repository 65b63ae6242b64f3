internal import NameSuggestion
public import CallDirectory

/// Decides which provider gets which entry. Pure: it is shown all rows twice, ascending by number, and does no I/O.
///
/// First `tally` for every number, then `allocate`, then `PlacementPass.place` for every number. Memory depends on the
/// plan and on the number of areas, never on the number of rows. Used by one thread at a time.
public final class PlacementPlanner {
  private let rules: PlanningRules
  private let areas: [String]
  private var classifier: Classifier
  private var areaHasRows: [Bool]
  private var sourceHasRows: [Bool]
  private var unclaimedSamples: [PhoneNumber] = []

  private static let sampleCount = 5

  /// A planner for `rules` over rows whose `AreaID`s index `areas`. Fails when the claims are too many to compare.
  public init(_ rules: PlanningRules, areas: [String]) throws(PlanningError) {
    self.rules = rules
    self.areas = areas
    classifier = Classifier(rules, try ClaimMatcher(rules, areas: areas))
    areaHasRows = Array(repeating: false, count: areas.count)
    sourceHasRows = Array(repeating: false, count: rules.sources.count)
  }

  /// Counts the entries of one number. `rows` are all rows of `number` in the order of `SourceRow`; numbers ascend from
  /// call to call. O(rows), no allocation but for the first entry of a new class.
  public func tally(_ number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>) {
    for row in rows {
      areaHasRows[Int(row.area.rawValue)] = true
      sourceHasRows[row.source] = true
    }
    let merged = MergedNumber(rows, classifier.matcher)
    if merged.isBlocked { count(number, .blocking, merged.blocking) }
    if merged.isIdentified { count(number, .identification, merged.identification) }
  }

  private func count(_ number: PhoneNumber, _ family: EntryFamily, _ entry: MergedNumber.Family) {
    let index = classifier.classify(number, family, entry)
    classifier.classes[index].count += 1
    if classifier.classes[index].claimants.isEmpty, unclaimedSamples.count < Self.sampleCount {
      unclaimedSamples.append(number)
    }
  }

  /// Shares the room out. Fails when a claim matches nothing, when entries are unclaimed that may not be dropped, and
  /// when entries find no room.
  public func allocate() throws(PlanningError) -> PlacementPass {
    try checkClaims()
    try checkUnclaimed()
    let missing = Allocation.allocate(&classifier.classes, limits: rules.providers.map(\.limit))
    try checkRoom(missing)
    return PlacementPass(rules: rules, classifier: classifier)
  }

  private func checkClaims() throws(PlanningError) {
    let areaNames = zip(areas, areaHasRows).dropFirst().filter(\.1).map(\.0)
    let sourceNames = zip(rules.sources, sourceHasRows).filter(\.1).map(\.0)
    for provider in rules.providers where !provider.mayBeEmpty {
      guard case .matching(let all, let anyOf) = provider.claim else { continue }
      for clause in [all] + anyOf {
        for area in clause.areas ?? [] where !areaNames.contains(area) {
          throw .nothing(provider.id, key: "areas", value: area, nearest: NearestName.find(area, among: areaNames))
        }
        for source in clause.sources ?? [] where !sourceNames.contains(source) {
          throw .nothing(
            provider.id, key: "sources", value: source, nearest: NearestName.find(source, among: sourceNames))
        }
      }
    }
  }

  private func checkUnclaimed() throws(PlanningError) {
    var counts = EntryCounts()
    for entry in classifier.classes where entry.claimants.isEmpty { counts[entry.family] += entry.count }
    let mayBeDropped = rules.unclaimed == .drop
    if counts.total > 0, !mayBeDropped || counts.blocking > 0 {
      throw .unclaimed(counts, samples: unclaimedSamples, dropIsSet: mayBeDropped)
    }
  }

  private func checkRoom(_ missing: [Int]) throws(PlanningError) {
    var shortages: [PlanningError.Shortage] = []
    let spill = SpillChains(rules.providers)
    for (entry, missing) in zip(classifier.classes, missing) where missing > 0 {
      let chain = spill.chain(after: entry.claimants)
      let claimants = entry.claimants.map { rules.providers[$0].id }
      let index = shortages.firstIndex { $0.claimants == claimants } ?? shortages.count
      if index == shortages.count {
        shortages.append(
          PlanningError.Shortage(
            claimants: claimants, spillsTo: chain.map { rules.providers[$0].id }, entries: EntryCounts(), missing: 0,
            limit: (entry.claimants + chain).reduce(0) { $0 + rules.providers[$1].limit }))
      }
      shortages[index].missing += missing
    }
    guard !shortages.isEmpty else { return }
    // All entries of the claimants are counted, not only those of the class that lost.
    for index in shortages.indices {
      for entry in classifier.classes
      where entry.claimants.map({ rules.providers[$0].id }) == shortages[index].claimants {
        shortages[index].entries[entry.family] += entry.count
      }
    }
    throw .noRoom(shortages)
  }
}
