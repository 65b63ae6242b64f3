internal import NameSuggestion
public import CallDirectory

/// Decides which provider gets which entry. Pure: it is shown all rows twice, ascending by number, and does no I/O.
///
/// First `tally` for every number, then `allocate`, then `PlacementPass.place` for every number. Memory depends on the
/// plan and on the number of areas, never on the number of rows. Used by one thread at a time.
public final class PlacementPlanner {
  private let rules: PlanningRules
  private let areas: [String]
  // Behind a pointer for the reason given in `PlacementPass`.
  private let state: UnsafeMutablePointer<TallyState>

  /// A planner for `rules` over rows whose `AreaID`s index `areas`. Fails when the claims are too many to compare.
  public init(_ rules: PlanningRules, areas: [String]) throws(PlanningError) {
    self.rules = rules
    self.areas = areas
    let classifier = Classifier(rules, try ClaimMatcher(rules, areas: areas))
    state = .allocate(capacity: 1)
    state.initialize(
      to: TallyState(classifier: classifier, areaCount: areas.count, sourceCount: rules.sources.count))
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Counts the entries of one number. `rows` are all rows of `number` in the order of `SourceRow`; numbers ascend from
  /// call to call. O(rows), no allocation but for the first entry of a new class. Returns whether the number is
  /// unlabelled; what else there is to say of it, `PlacementPass.place` says.
  @discardableResult
  public func tally(_ number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>) -> NumberFindings {
    state.pointee.tally(number, rows)
  }

  /// Shares the room out. Fails when a claim matches nothing, when entries are unclaimed that may not be dropped, and
  /// when entries find no room.
  public func allocate() throws(PlanningError) -> PlacementPass {
    try checkClaims()
    try checkUnclaimed()
    let missing = Allocation.allocate(&state.pointee.classifier.classes, limits: rules.providers.map(\.limit))
    try checkRoom(missing)
    return PlacementPass(rules: rules, classifier: state.pointee.classifier)
  }

  private func checkClaims() throws(PlanningError) {
    let areaNames = zip(areas, state.pointee.areaHasRows).dropFirst().filter(\.1).map(\.0)
    let sourceNames = zip(rules.sources, state.pointee.sourceHasRows).filter(\.1).map(\.0)
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
    for entry in state.pointee.classifier.classes where entry.claimants.isEmpty { counts[entry.family] += entry.count }
    let mayBeDropped = rules.unclaimed == .drop
    if counts.total > 0, !mayBeDropped || counts.blocking > 0 {
      throw .unclaimed(counts, samples: state.pointee.unclaimedSamples, dropIsSet: mayBeDropped)
    }
  }

  private func checkRoom(_ missing: [[Int]]) throws(PlanningError) {
    var shortages: [PlanningError.Shortage] = []
    for (entry, missing) in zip(state.pointee.classifier.classes, missing) {
      for (copy, missing) in missing.enumerated() where missing > 0 {
        let claimants = claimants(of: entry, copy: copy)
        let index = shortages.firstIndex { $0.claimants == claimants.map { rules.providers[$0].id } } ?? shortages.count
        if index == shortages.count { shortages.append(shortage(claimants)) }
        shortages[index].missing += missing
      }
    }
    if !shortages.isEmpty { throw .noRoom(shortages) }
  }

  /// The claimants that share a copy: under `keep` each has one of its own.
  private func claimants(of entry: PlacementClass, copy: Int) -> [Int] {
    rules.overlaps == .keep ? [entry.claimants[copy]] : entry.claimants
  }

  /// A shortage of `claimants` with all entries they share, not only those of the class that lost; nothing missing yet.
  private func shortage(_ claimants: [Int]) -> PlanningError.Shortage {
    let chain = SpillChains(rules.providers).chain(after: claimants)
    var entries = EntryCounts()
    for entry in state.pointee.classifier.classes {
      for copy in entry.copies.indices where self.claimants(of: entry, copy: copy) == claimants {
        entries[entry.family] += entry.count
      }
    }
    return PlanningError.Shortage(
      claimants: claimants.map { rules.providers[$0].id }, spillsTo: chain.map { rules.providers[$0].id },
      entries: entries, missing: 0, limit: (claimants + chain).reduce(0) { $0 + rules.providers[$1].limit })
  }
}
