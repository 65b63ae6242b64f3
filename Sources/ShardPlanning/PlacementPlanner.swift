internal import NameSuggestion
public import CallDirectory

/// Decides which provider gets which entry. Pure: it is shown all rows at least twice, ascending by number, and does no I/O.
///
/// First `tally` for every number, then `allocate`; while that gives nothing, `weigh` for every number and `allocate` again; then
/// `PlacementPass.place` for every number. Ranges of numbers with the same rows come as one and are never expanded. Memory depends
/// on the plan and on the number of areas, never on the number of rows. Used by one thread at a time.
public final class PlacementPlanner {
  private let rules: PlanningRules
  private let areas: [String]
  /// By item: its copies where the base has cut them.
  private let cut: [CopyGroup?]
  // Behind pointers for the reason given in `PlacementPass`.
  private let state: UnsafeMutablePointer<TallyState>
  private let weighing: UnsafeMutablePointer<WeighingState?>

  /// A planner for `rules` over rows whose `AreaID`s index `areas`. Fails when the claims are too many to compare.
  public init(_ rules: PlanningRules, areas: [String]) throws(PlanningError) {
    self.rules = rules
    self.areas = areas
    cut = rules.providers.map { $0.knownGroup(rules.base.groups[$0.id]) }
    let needsCuts = zip(rules.providers, cut).contains { $0.count != .single && $1 == nil }
    let classifier = Classifier(
      rules, try ClaimMatcher(rules, areas: areas), NumberSegments(cut.compactMap(\.self)))
    state = .allocate(capacity: 1)
    state.initialize(
      to: TallyState(
        classifier: classifier, needsCuts: needsCuts, areaCount: areas.count, sourceCount: rules.sources.count))
    weighing = .allocate(capacity: 1)
    weighing.initialize(to: nil)
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
    weighing.deinitialize(count: 1)
    weighing.deallocate()
  }

  /// Counts the entries of consecutive numbers that all have the same rows and were at the same places. `rows` are all rows of each
  /// of `numbers` in the order of `SourceRow`, `held` is where it was in the base release; numbers ascend from call to call, and
  /// what they come to does not depend on the pieces they come in. O(rows) for each claim's border and each cut within the range,
  /// no allocation but for the first entry of a new class. Returns whether the numbers are unlabelled; what else there is to say
  /// of them, `PlacementPass.place` says.
  @discardableResult
  public func tally(
    _ numbers: ClosedRange<PhoneNumber>, _ rows: UnsafeBufferPointer<SourceRow>, held: HeldPlaces = .none
  ) -> NumberFindings {
    state.pointee.tally(numbers, rows, held)
  }

  /// Counts the entries of one number.
  @discardableResult
  public func tally(
    _ number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>, held: HeldPlaces = .none
  ) -> NumberFindings {
    state.pointee.tally(number...number, rows, held)
  }

  /// Weighs the labels of consecutive numbers against others, when `allocate` asked for it. Rows and places as in `tally`.
  public func weigh(
    _ numbers: ClosedRange<PhoneNumber>, _ rows: UnsafeBufferPointer<SourceRow>, held: HeldPlaces = .none
  ) {
    weighing.pointee?.weigh(numbers, rows, held)
  }

  /// Weighs the labels of one number.
  public func weigh(_ number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>, held: HeldPlaces = .none) {
    weighing.pointee?.weigh(number...number, rows, held)
  }

  /// Shares the room out. Nil when labels have to be dropped (`ExcessRule.dropLowestScore`) and it needs one more walk with `weigh`
  /// to know which; two or three walks do for most directories. Fails when a claim matches nothing, when entries are
  /// unclaimed that may not be dropped, and when entries find no room.
  public func allocate() throws(PlanningError) -> PlacementPass? {
    guard weighing.pointee == nil else { return try finishWeighing() }
    try checkClaims()
    try checkUnclaimed()
    var groups = firstGroups()
    while true {
      let (table, classifier) = tabulate(groups)
      var shares = table.shares
      let layout = table.layout
      let limits = layout.providers.indices.map(layout.room)
      let missing = Allocation.allocate(&shares, limits: limits)
      if missing.contains(where: { $0 > 0 }) {
        if let grown = grow(groups, table, missing) {
          groups = grown
          continue
        }
        try checkRoom(table, missing)
        weighing.pointee = WeighingState(
          classifier: classifier, table: table, selection: ScoreSelection(table.shares, limits: limits), fill: nil,
          isSplit: false)
        return nil
      }
      return fillByScore(table, shares, classifier)
    }
  }

  private func finishWeighing() throws(PlanningError) -> PlacementPass? {
    if weighing.pointee?.fill != nil { return finishFilling() }
    guard let isDone = weighing.pointee?.selection?.narrow(), isDone, let weighed = weighing.pointee,
      let selection = weighed.selection
    else { return nil }
    var shares = weighed.table.shares
    for index in shares.indices where shares[index].key.mayBeDropped {
      shares[index].count = selection.kept[index]
      shares[index].threshold = selection.thresholds[index]
    }
    let layout = weighed.table.layout
    let missing = Allocation.allocate(&shares, limits: layout.providers.indices.map(layout.room))
    // The selection has found a place for each of them.
    try checkRoom(weighed.table, missing, mayDrop: false)
    return fillByScore(weighed.table, shares, weighed.classifier)
  }

  /// The last walk, or nil when it takes more walks with `weigh` to know who is to have the places of providers that are
  /// filled by score.
  private func fillByScore(
    _ table: PlacementTable, _ shares: [PlacementShare], _ classifier: Classifier, isSplit: Bool = false
  ) -> PlacementPass? {
    let limits = table.layout.providers.indices.map(table.layout.limit)
    guard let fill = ScoreFill(shares, table.layout, limits: limits, isSplit: isSplit) else {
      return pass(table, shares, classifier)
    }
    var table = table
    table.shares = shares
    table.isSplit = isSplit
    weighing.pointee = WeighingState(
      classifier: classifier, table: table, selection: nil, fill: fill, isSplit: isSplit)
    return nil
  }

  private func finishFilling() -> PlacementPass? {
    guard let isDone = weighing.pointee?.fill?.narrow(), isDone, let weighed = weighing.pointee, let fill = weighed.fill
    else { return nil }
    let layout = weighed.table.layout
    guard let shares = fill.settled(weighed.table.shares, limits: layout.providers.indices.map(layout.limit)) else {
      // What has to go elsewhere by value does not fit there: value decides among those alone that may go to the same places.
      if weighed.isSplit { return pass(weighed.table, weighed.table.shares, weighed.classifier) }
      return fillByScore(weighed.table, weighed.table.shares, weighed.classifier, isSplit: true)
    }
    return pass(weighed.table, shares, weighed.classifier)
  }

  private func pass(
    _ table: PlacementTable, _ shares: [PlacementShare], _ classifier: Classifier
  ) -> PlacementPass {
    var table = table
    table.shares = shares
    return PlacementPass(rules: rules, classifier: classifier, table: table)
  }

  // MARK: Copies

  /// The groups to begin with: as the base has cut them, else cut now so that each copy has about equally many entries.
  private func firstGroups() -> [CopyGroup?] {
    rules.providers.indices.map { item in
      let provider = rules.providers[item]
      if provider.count == .single { return nil }
      if let known = cut[item] { return known }
      guard case .fixed(let copies) = provider.count else {
        var (members, total) = members(of: item)
        if provider.fillBy == .score, provider.dropsLabelsOfBlocked {
          // A copy for what it does not take would be an empty one.
          let keys = state.pointee.classifier.keys
          members.removeAll { keys[$0].isOfBlocked }
          total = members.reduce(0) { $0 + state.pointee.counts[$1] }
        }
        return fresh(item, copies: Self.firstCopies(total, provider))
      }
      return fresh(item, copies: copies)
    }
  }

  /// Copies of an `auto` group to begin with: so many that each is filled to 95 % of `warnAt` at most, by score as few as hold
  /// all, since each is filled to its limit before the next.
  static func firstCopies(_ entries: Int, _ provider: PlannedProvider) -> Int {
    let share = provider.fillBy == .score ? 1 : provider.warnAt * 0.95
    let target = max(1, Int(Double(provider.limit) * share))
    return min(max(1, (entries + target - 1) / target), CopyCount.most)
  }

  private func fresh(_ item: Int, copies: Int) -> CopyGroup {
    if rules.providers[item].fillBy == .score { return CopyGroup(copies: copies, cuts: [], isByScore: true) }
    let (members, total) = members(of: item)
    return CopyGroup(copies: copies, cuts: state.pointee.sketch?.cuts(copies, members: members, total: total) ?? [])
  }

  /// The classes that an entry of the plan is the first to claim (under `keep`: that it claims), and their entries. When it claims
  /// none and only takes what others spill, the classes that could come to it.
  private func members(of item: Int) -> (classes: [Int], total: Int) {
    let spill = SpillChains(rules.providers)
    let matcher = state.pointee.classifier.matcher
    let claimants = state.pointee.classifier.keys.map { matcher.claimants($0.set) }
    var classes = claimants.indices.filter { index in
      rules.overlaps == .keep ? claimants[index].contains(item) : claimants[index].first == item
    }
    if classes.isEmpty {
      classes = claimants.indices.filter { index in
        claimants[index].contains(item) || spill.chain(after: claimants[index]).contains(item)
      }
    }
    return (classes, classes.reduce(0) { $0 + state.pointee.counts[$1] })
  }

  /// The groups with more copies for those `auto` ones that could take what is missing; nil when there is none.
  private func grow(_ groups: [CopyGroup?], _ table: PlacementTable, _ missing: [Int]) -> [CopyGroup?]? {
    var wanted: [Int: Int] = [:]
    for (share, missing) in zip(table.shares, missing) where missing > 0 {
      let items = share.key.preferences.filter { $0 >= 0 }.map { table.layout.providers[$0].item }
      let growing = items.first { item in
        rules.providers[item].count == .auto && groups[item].map { $0.copies < CopyCount.most } ?? false
      }
      if let item = growing { wanted[item, default: 0] += missing }
    }
    guard !wanted.isEmpty else { return nil }
    return groups.enumerated().map { item, group in
      guard let group, let missing = wanted[item] else { return group }
      let more = (missing + rules.providers[item].limit - 1) / rules.providers[item].limit
      let copies = min(group.copies + max(more, 1), CopyCount.most)
      return cut[item] == nil
        ? fresh(item, copies: copies) : CopyGroup(copies: copies, cuts: group.cuts, isByScore: group.isByScore)
    }
  }

  /// Classes, shares and the classifier that finds them, for the given copies.
  private func tabulate(_ groups: [CopyGroup?]) -> (PlacementTable, Classifier) {
    let tallied = state.pointee.classifier
    let segments = NumberSegments(groups.compactMap(\.self))
    var classifier = Classifier(rules, tallied.matcher, segments)
    var counts: [Int] = []
    let known = NumberSegments(cut.compactMap(\.self))
    let newCuts = NumberSegments(zip(groups, cut).compactMap { $1 == nil ? $0 : nil }).starts
    let parts = state.pointee.sketch?.split(state.pointee.counts, at: newCuts) ?? [state.pointee.counts]
    for (part, partCounts) in parts.enumerated() {
      let start = part == 0 ? Int64.min : newCuts[part - 1]
      for (key, count) in zip(tallied.keys, partCounts) where count > 0 {
        var key = key
        var step = 0
        let begin = max(start, key.segment == 0 ? Int64.min : known.starts[Int(key.segment) - 1])
        key.segment = segments.segment(of: begin, from: &step)
        let index = classifier.index(of: key)
        if index == counts.count { counts.append(0) }
        counts[index] += count
      }
    }
    let layout = ProviderLayout(rules.providers, groups: groups)
    let table = PlacementTable(rules, tallied.matcher, layout, segments, classifier.keys, counts)
    return (table, classifier)
  }

  // MARK: Checks

  private func checkClaims() throws(PlanningError) {
    // Claims may name as many areas as there are.
    let areaNames = Set(zip(areas, state.pointee.areaHasRows).dropFirst().filter(\.1).map(\.0))
    let sourceNames = Set(zip(rules.sources, state.pointee.sourceHasRows).filter(\.1).map(\.0))
    for provider in rules.providers where !provider.mayBeEmpty {
      guard case .matching(let all, let anyOf) = provider.claim else { continue }
      for clause in [all] + anyOf {
        for area in clause.areas ?? [] where !areaNames.contains(area) {
          throw .nothing(
            provider.id, key: "areas", value: area, nearest: NearestName.find(area, among: areaNames.sorted()))
        }
        for source in clause.sources ?? [] where !sourceNames.contains(source) {
          throw .nothing(
            provider.id, key: "sources", value: source, nearest: NearestName.find(source, among: sourceNames.sorted()))
        }
      }
    }
  }

  private func checkUnclaimed() throws(PlanningError) {
    var counts = EntryCounts()
    let tallied = state.pointee.classifier
    for (key, count) in zip(tallied.keys, state.pointee.counts) where tallied.matcher.claimants(key.set).isEmpty {
      counts[key.family] += count
    }
    let mayBeDropped = rules.unclaimed == .drop
    if counts.total > 0, !mayBeDropped || counts.blocking > 0 {
      throw .unclaimed(counts, samples: state.pointee.unclaimedSamples, dropIsSet: mayBeDropped)
    }
  }

  private func checkRoom(
    _ table: PlacementTable, _ missing: [Int], mayDrop: Bool = true
  ) throws(PlanningError) {
    var left = missing.enumerated().map { share, missing in
      mayDrop && table.shares[share].key.mayBeDropped ? 0 : missing
    }
    var shortages: [PlanningError.Shortage] = []
    for entry in table.classes {
      for (copy, place) in entry.copies.enumerated() where left[place.share] > 0 {
        let claimants = claimants(of: entry, copy: copy)
        let index = shortages.firstIndex { $0.claimants == claimants.map { rules.providers[$0].id } } ?? shortages.count
        if index == shortages.count { shortages.append(shortage(claimants, table)) }
        shortages[index].missing += left[place.share]
        left[place.share] = 0
      }
    }
    if !shortages.isEmpty { throw .noRoom(shortages) }
  }

  /// The claimants that share a copy: under `keep` each has one of its own.
  private func claimants(of entry: PlacementClass, copy: Int) -> [Int] {
    rules.overlaps == .keep ? [entry.claimants[copy]] : entry.claimants
  }

  /// A shortage of `claimants` with all entries they share, not only those of the class that lost; nothing missing yet.
  private func shortage(_ claimants: [Int], _ table: PlacementTable) -> PlanningError.Shortage {
    let chain = SpillChains(rules.providers).chain(after: claimants)
    var entries = EntryCounts()
    for entry in table.classes {
      for copy in entry.copies.indices where self.claimants(of: entry, copy: copy) == claimants {
        entries[entry.family] += entry.count
      }
    }
    let limit = (claimants + chain).reduce(0) { sum, item in
      sum + table.layout.positions(of: item).reduce(0) { $0 + table.layout.room($1) }
    }
    return PlanningError.Shortage(
      claimants: claimants.map { rules.providers[$0].id }, spillsTo: chain.map { rules.providers[$0].id },
      entries: entries, missing: 0, limit: limit)
  }
}
