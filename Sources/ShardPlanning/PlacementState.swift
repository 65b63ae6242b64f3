internal import CallDirectory

/// What a `PlacementPass` works on: a value, so that nothing but its place in memory is passed around per number.
///
/// What changes with each number lies in buffers: whether an array is shared would be asked at each change.
struct PlacementState: ~Copyable {
  let rules: PlanningRules
  var classifier: Classifier
  let table: PlacementTable
  /// The shares of `table` as they are used up.
  let shares: UnsafeMutableBufferPointer<PlacementShare>
  /// By source; empty when every source has its first label.
  let repeats: [RepeatRule]
  private var figures: PlacementReport
  /// By source.
  private let accounts: UnsafeMutableBufferPointer<OccurrenceAccounts>
  private let receivers: UnsafeMutableBufferPointer<Receiver>
  /// Positions of the providers that get something of the number at hand.
  private let touched: UnsafeMutableBufferPointer<Int>
  private var touchedCount = 0
  /// By class, and the copies of all of them one after the other.
  private let routes: [Route]
  private let copies: [CopyRoute]

  private static let sampleCount = 5

  /// A provider.
  private struct Receiver {
    /// Its position in the plan.
    let item: Int
    // What it got so far.
    var blocking = 0
    var identification = 0
    var first = Int64.max
    var last = Int64.min
    // What it gets of the number at hand; of labels the index of the row.
    var isBlocked = false
    var labelRow: Int?

    var isTouched: Bool { isBlocked || labelRow != nil }

    /// What it gets of `count` numbers from `number` on, which then are no longer at hand.
    @inline(__always)
    mutating func take(
      _ number: PhoneNumber, _ count: Int, _ rows: UnsafeBufferPointer<SourceRow>
    ) -> DirectoryEntry {
      let entry = DirectoryEntry(number: number, isBlocked: isBlocked, label: labelRow.map { rows[$0].label })
      if isBlocked { blocking += count }
      if labelRow != nil { identification += count }
      first = min(first, number.rawValue)
      last = number.rawValue &+ Int64(count &- 1)
      isBlocked = false
      labelRow = nil
      return entry
    }
  }

  /// A class as each of its numbers needs it.
  private struct Route {
    let copies: Range<Int>
    let isClaimed: Bool
    let isDropped: Bool
  }

  /// A copy of a class as each of its numbers needs it.
  private struct CopyRoute {
    let share: Int
    let home: Int
    /// The position in the plan of the provider at `home`, which claims it.
    let item: Int
  }

  /// What becomes of an entry.
  private enum Fate { case placed, dropped, unclaimed }

  init(rules: PlanningRules, classifier: Classifier, table: PlacementTable) {
    self.rules = rules
    self.classifier = classifier
    let given = rules.repeats.prefix(rules.sources.count)
    repeats =
      given.allSatisfy { $0 == .first }
      ? [] : given + Array(repeating: .first, count: rules.sources.count - given.count)
    self.table = table
    let providers = table.layout.providers
    shares = Self.buffer(table.shares)
    accounts = Self.buffer(rules.sources.map { _ in OccurrenceAccounts() })
    receivers = Self.buffer(providers.map { Receiver(item: $0.item) })
    touched = Self.buffer(providers.map { _ in 0 })
    var routes: [Route] = []
    var copies: [CopyRoute] = []
    for entry in table.classes {
      let first = copies.count
      copies += entry.copies.map { CopyRoute(share: $0.share, home: $0.home, item: providers[$0.home].item) }
      routes.append(
        Route(copies: first..<copies.count, isClaimed: !entry.claimants.isEmpty, isDropped: entry.isDropped))
    }
    self.routes = routes
    self.copies = copies
    figures = PlacementReport()
    figures.providers = providers.indices.map {
      PlacementReport.Provider(id: providers[$0].id, limit: table.layout.limit($0))
    }
    figures.overlaps = Self.overlaps(table.classes, rules)
  }

  private static func buffer<Element>(_ elements: [Element]) -> UnsafeMutableBufferPointer<Element> {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = buffer.initialize(from: elements)
    return buffer
  }

  deinit {
    shares.deinitialize()
    shares.deallocate()
    accounts.deallocate()
    receivers.deallocate()
    touched.deallocate()
  }

  /// See `PlacementPass.place`.
  @inline(__always)
  mutating func place(
    _ numbers: ClosedRange<PhoneNumber>, _ rows: UnsafeBufferPointer<SourceRow>, _ held: HeldPlaces,
    emit: (_ provider: Int, _ run: EntryRun) throws -> Void
  ) rethrows -> (count: Int, findings: NumberFindings) {
    let number = numbers.lowerBound
    let merged = MergedNumber(rows)
    let isBlocked = merged.isBlocked
    var blockClass = -1
    var labelClass = -1
    if isBlocked {
      blockClass = classifier.classify(number, .blocking, merged.blocking, rows, held.blocking, isBlocked: true)
    }
    if merged.isIdentified {
      labelClass = classifier.classify(
        number, .identification, merged.identification, rows, held.identification, isBlocked: isBlocked)
    }
    let count = number < numbers.upperBound ? stretch(of: numbers, blockClass, labelClass, rows) : 1
    let block = blockClass < 0 ? Fate.unclaimed : choose(number, count, .blocking, blockClass, rows, merged)
    let label = labelClass < 0 ? Fate.unclaimed : choose(number, count, .identification, labelClass, rows, merged)
    let findings = account(number, count, rows, merged, block: block, label: label)
    for provider in touched[..<touchedCount] {
      try emit(provider, EntryRun(receivers[provider].take(number, count, rows), count: count))
    }
    touchedCount = 0
    return (count, findings)
  }

  /// How many of `numbers`, from the first on, go the same way: until a claim or a segment ends, a label is dropped for which
  /// there is no room, or a provider has what it may get.
  private mutating func stretch(
    of numbers: ClosedRange<PhoneNumber>, _ blockClass: Int, _ labelClass: Int, _ rows: UnsafeBufferPointer<SourceRow>
  ) -> Int {
    var count = classifier.stretch(of: numbers)
    for (entryClass, family) in [(blockClass, EntryFamily.blocking), (labelClass, .identification)]
    where entryClass >= 0 {
      let copies = table.classes[entryClass].copies
      for copy in copies {
        let threshold = shares[copy.share].threshold
        if threshold > 0 {
          let kept = ScoreKey.count(count, from: numbers.lowerBound, rows, notBelow: threshold)
          // All are dropped: nothing is used up.
          if kept == 0 { continue }
          count = kept
        }
        if !shares[copy.share].levels.isEmpty {
          let key = ScoreKey.of(numbers.lowerBound, rows, family)
          if let level = shares[copy.share].level(key) {
            let least = shares[copy.share].levels[level]
            count = ScoreKey.count(count, from: numbers.lowerBound, rows, family, notBelow: least)
            // Places filled by score have no quotas.
            continue
          }
        }
        // Each copy of a number takes one.
        let takers = copies.count { $0.share == copy.share }
        count = min(count, max(1, shares[copy.share].available / takers))
      }
    }
    return count
  }

  /// See `PlacementPass.report`.
  var report: PlacementReport {
    var report = figures
    report.accounts = Array(accounts)
    for (provider, got) in receivers.enumerated() where got.blocking + got.identification > 0 {
      report.providers[provider].counts = EntryCounts(blocking: got.blocking, identification: got.identification)
      report.providers[provider].numbers = PhoneNumber(got.first)...PhoneNumber(got.last)
    }
    report.providers = zip(report.providers, table.layout.providers)
      .filter { rules.providers[$1.item].claim != nil || $0.counts.total > 0 }.map(\.0)
    return report
  }

  /// Uses up quotas for each copy of the entries of `count` numbers from `number` on, which go the same way.
  @inline(__always)
  private mutating func choose(
    _ number: PhoneNumber, _ count: Int, _ family: EntryFamily, _ index: Int, _ rows: UnsafeBufferPointer<SourceRow>,
    _ merged: MergedNumber
  ) -> Fate {
    let route = routes[index]
    if route.isDropped { figures.labelsOfBlocked += count }
    var fate = route.isClaimed ? Fate.dropped : .unclaimed
    for position in route.copies {
      let copy = copies[position]
      if shares[copy.share].threshold > 0, ScoreKey.of(number, rows) < shares[copy.share].threshold {
        noteDropped(number, count, rows)
        continue
      }
      fate = .placed
      let provider =
        shares[copy.share].levels.isEmpty
        ? shares[copy.share].take(count) : shares[copy.share].take(count, ScoreKey.of(number, rows, family))
      if provider == PlacementShare.heldAlready {
        figures.providers[copy.home].leftToOthers += count
        continue
      }
      let isOwn = receivers[provider].item == copy.item
      let isSpill = !isOwn && !table.classes[index].claimants.contains(receivers[provider].item)
      if !receivers[provider].isTouched {
        touched[touchedCount] = provider
        touchedCount += 1
      }
      switch family {
      case .blocking:
        if isSpill, !receivers[provider].isBlocked { figures.providers[provider].spilledIn += count }
        receivers[provider].isBlocked = true
      case .identification:
        // Two copies may come to one provider, which then holds the number once, with the label that it asks for itself,
        // else with that of the first.
        guard isOwn || receivers[provider].labelRow == nil else { continue }
        if isSpill { figures.providers[provider].spilledIn += count }
        // Where one row identifies the number there is no choice.
        receivers[provider].labelRow =
          merged.identification.rows == 1
          ? merged.labelRow
          : Self.labelRow(rows, table.classes[index].copies[position - route.copies.lowerBound].ownSources, repeats)
      }
    }
    return fate
  }

  /// The row whose label counts: the first with a label from one of `ownSources`, else the first with a label, and among
  /// the rows of its source the one that the source's rule prefers. `repeats` is empty when every rule is `first`.
  // Static: a method of the value would be given a copy of all of it.
  @inline(__always)
  static func labelRow(
    _ rows: UnsafeBufferPointer<SourceRow>, _ ownSources: [Bool]?, _ repeats: [RepeatRule]
  ) -> Int? {
    let first = firstLabelRow(rows, ownSources)
    if repeats.isEmpty || rows.count == 1 { return first }
    return first.map { LabelChoice.row(rows, from: $0, repeats[rows[$0].source]) }
  }

  private static func firstLabelRow(_ rows: UnsafeBufferPointer<SourceRow>, _ ownSources: [Bool]?) -> Int? {
    var first: Int?
    for index in rows.indices where !rows[index].label.isEmpty && rows[index].action.isIdentifying {
      guard let ownSources, !ownSources[rows[index].source] else { return index }
      if first == nil { first = index }
    }
    return first
  }

  // MARK: Accounts

  private mutating func account(
    _ number: PhoneNumber, _ count: Int, _ rows: UnsafeBufferPointer<SourceRow>, _ merged: MergedNumber, block: Fate,
    label: Fate
  ) -> NumberFindings {
    var blockSeen = false
    var allowSeen = false
    var removeSeen = false
    var labels = LabelComparison()
    for index in rows.indices {
      let row = rows[index]
      let source = row.source
      if row.action.isBlocking {
        accounts[source].read += count
        if merged.isRemoved || merged.isAllowed {
          accounts[source].removed += count
        } else {
          book(source, count, isFirst: !blockSeen, block)
        }
        blockSeen = true
      }
      if row.action.isIdentifying {
        accounts[source].read += count
        if merged.isRemoved {
          accounts[source].removed += count
        } else if merged.labelRow == nil {
          accounts[source].refused += count
          noteUnlabelled(PlacementReport.RowPosition(file: row.file, line: row.line))
        } else {
          book(source, count, isFirst: index == merged.labelRow, label)
        }
        labels.add(row.label)
      }
      if row.action == .allow { bookRule(source, count, &allowSeen) }
      if row.action == .remove { bookRule(source, count, &removeSeen) }
    }
    if labels.differ {
      figures.conflictingLabels += count
    } else if labels.count > 1 {
      figures.repeatedLabels += count
    }
    if merged.isAllowed || merged.isRemoved { noteCut(number, count, merged) }
    return labels.differ ? .conflictingLabels : merged.isUnlabelled ? .unlabelled : []
  }

  private mutating func book(_ source: Int, _ count: Int, isFirst: Bool, _ fate: Fate) {
    guard isFirst else {
      accounts[source].merged += count
      return
    }
    switch fate {
    case .placed: accounts[source].used += count
    case .dropped: accounts[source].dropped += count
    case .unclaimed: accounts[source].unclaimed += count
    }
  }

  private mutating func bookRule(_ source: Int, _ count: Int, _ seen: inout Bool) {
    accounts[source].read += count
    if seen { accounts[source].merged += count } else { accounts[source].used += count }
    seen = true
  }

  private mutating func noteCut(_ number: PhoneNumber, _ count: Int, _ merged: MergedNumber) {
    if merged.isRemoved, merged.blocking.rows + merged.identification.rows > 0 {
      figures.cuts.removed += count
    } else if merged.isAllowed, !merged.isRemoved, merged.blocking.rows > 0 {
      figures.cuts.allowed += count
    } else {
      figures.cuts.withoutEffect += count
      for offset in 0..<min(count, Self.sampleCount - figures.cuts.withoutEffectSamples.count) {
        figures.cuts.withoutEffectSamples.append(PhoneNumber(number.rawValue &+ Int64(offset)))
      }
    }
  }

  /// Keeps the first positions in the order of files and lines, which is not the order of numbers.
  private mutating func noteUnlabelled(_ position: PlacementReport.RowPosition) {
    // A range refuses each of its numbers with the same row.
    if figures.unlabelled.contains(where: { $0.file == position.file && $0.line == position.line }) { return }
    if figures.unlabelled.count == Self.sampleCount {
      guard let last = figures.unlabelled.last, position < last else { return }
      figures.unlabelled.removeLast()
    }
    figures.unlabelled.insert(position, at: figures.unlabelled.firstIndex { position < $0 } ?? figures.unlabelled.count)
  }

  /// Counts labels without room, of `count` numbers from `number` on, and keeps the first in the order of files and lines.
  private mutating func noteDropped(_ number: PhoneNumber, _ count: Int, _ rows: UnsafeBufferPointer<SourceRow>) {
    figures.dropped += count
    for offset in 0..<min(count, Self.sampleCount) {
      noteDroppedSample(PhoneNumber(number.rawValue &+ Int64(offset)), rows)
    }
  }

  private mutating func noteDroppedSample(_ number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>) {
    guard let row = Self.labelRow(rows, nil, repeats) else { return }
    let position = PlacementReport.RowPosition(file: rows[row].file, line: rows[row].line)
    if figures.droppedSamples.count == Self.sampleCount {
      guard let last = figures.droppedSamples.last, position < last.position else { return }
      figures.droppedSamples.removeLast()
    }
    let index = figures.droppedSamples.firstIndex { position < $0.position } ?? figures.droppedSamples.count
    figures.droppedSamples.insert(
      PlacementReport.DroppedLabel(position: position, number: number, score: ScoreKey.score(rows)), at: index)
  }

  private static func overlaps(_ classes: [PlacementClass], _ rules: PlanningRules) -> [PlacementReport.Overlap] {
    var entries: [[Int]: EntryCounts] = [:]
    for entry in classes {
      for (offset, first) in entry.claimants.enumerated() {
        for second in entry.claimants[(offset + 1)...] {
          entries[[first, second], default: EntryCounts()][entry.family] += entry.count
        }
      }
    }
    return entries.sorted { ($0.key[0], $0.key[1]) < ($1.key[0], $1.key[1]) }.map { pair, counts in
      PlacementReport.Overlap(
        first: rules.providers[pair[0]].id, second: rules.providers[pair[1]].id, entries: counts)
    }
  }
}
