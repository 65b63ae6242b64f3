internal import CallDirectory

/// What a `PlacementPass` works on: a value, so that nothing but its place in memory is passed around per number.
struct PlacementState {
  let rules: PlanningRules
  var classifier: Classifier
  var table: PlacementTable
  private var figures: PlacementReport
  private var scratch: Scratch
  private var placed: [Placed]
  /// By source; empty when every source has its first label.
  let repeats: [RepeatRule]

  private static let sampleCount = 5

  /// What the providers get of the number at hand.
  private struct Scratch {
    /// Positions of the providers that get something.
    var touched: [Int] = []
    var blocked: [Bool]
    /// Index of the row whose label the provider gets.
    var labelRow: [Int?]
  }

  /// What a provider got so far. Apart from the figures, whose ids would be copied with each entry.
  private struct Placed {
    var blocking = 0
    var identification = 0
    var first = Int64.max
    var last = Int64.min
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
    scratch = Scratch(
      blocked: Array(repeating: false, count: providers.count),
      labelRow: Array(repeating: nil, count: providers.count))
    placed = Array(repeating: Placed(), count: providers.count)
    figures = PlacementReport()
    figures.providers = providers.indices.map {
      PlacementReport.Provider(id: providers[$0].id, limit: table.layout.limit($0))
    }
    figures.accounts = Array(repeating: OccurrenceAccounts(), count: rules.sources.count)
    figures.overlaps = Self.overlaps(table.classes, rules)
  }

  /// See `PlacementPass.place`.
  @inline(__always)
  mutating func place(
    _ numbers: ClosedRange<PhoneNumber>, _ rows: UnsafeBufferPointer<SourceRow>, _ held: HeldPlaces,
    emit: (_ provider: Int, _ run: EntryRun) throws -> Void
  ) rethrows -> (count: Int, findings: NumberFindings) {
    let number = numbers.lowerBound
    let merged = MergedNumber(rows, classifier.matcher)
    let isBlocked = merged.isBlocked
    var blockClass = -1
    var labelClass = -1
    if isBlocked {
      blockClass = classifier.classify(number, .blocking, merged.blocking, held.blocking, isBlocked: true)
    }
    if merged.isIdentified {
      labelClass = classifier.classify(
        number, .identification, merged.identification, held.identification, isBlocked: isBlocked)
    }
    let count = number < numbers.upperBound ? stretch(of: numbers, blockClass, labelClass, rows) : 1
    let block = blockClass < 0 ? Fate.unclaimed : choose(number, count, .blocking, blockClass, rows)
    let label = labelClass < 0 ? Fate.unclaimed : choose(number, count, .identification, labelClass, rows)
    let findings = account(number, count, rows, merged, block: block, label: label)
    for provider in scratch.touched {
      let entry = DirectoryEntry(
        number: number, isBlocked: scratch.blocked[provider], label: scratch.labelRow[provider].map { rows[$0].label })
      scratch.blocked[provider] = false
      scratch.labelRow[provider] = nil
      let run = EntryRun(entry, count: count)
      note(provider, run)
      try emit(provider, run)
    }
    scratch.touched.removeAll(keepingCapacity: true)
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
        let threshold = table.shares[copy.share].threshold
        if threshold > 0 {
          let kept = ScoreKey.count(count, from: numbers.lowerBound, rows, notBelow: threshold)
          // All are dropped: nothing is used up.
          if kept == 0 { continue }
          count = kept
        }
        if !table.shares[copy.share].levels.isEmpty {
          let key = ScoreKey.of(numbers.lowerBound, rows, family)
          if let level = table.shares[copy.share].level(key) {
            let least = table.shares[copy.share].levels[level]
            count = ScoreKey.count(count, from: numbers.lowerBound, rows, family, notBelow: least)
            // Places filled by score have no quotas.
            continue
          }
        }
        // Each copy of a number takes one.
        let takers = copies.count { $0.share == copy.share }
        count = min(count, max(1, table.shares[copy.share].available / takers))
      }
    }
    return count
  }

  /// See `PlacementPass.report`.
  var report: PlacementReport {
    var report = figures
    for (provider, placed) in placed.enumerated() where placed.blocking + placed.identification > 0 {
      report.providers[provider].counts = EntryCounts(
        blocking: placed.blocking, identification: placed.identification)
      report.providers[provider].numbers = PhoneNumber(placed.first)...PhoneNumber(placed.last)
    }
    report.providers = zip(report.providers, table.layout.providers)
      .filter { rules.providers[$1.item].claim != nil || $0.counts.total > 0 }.map(\.0)
    return report
  }

  /// Uses up quotas for each copy of the entries of `count` numbers from `number` on, which go the same way.
  @inline(__always)
  private mutating func choose(
    _ number: PhoneNumber, _ count: Int, _ family: EntryFamily, _ index: Int, _ rows: UnsafeBufferPointer<SourceRow>
  ) -> Fate {
    if table.classes[index].isDropped { figures.labelsOfBlocked += count }
    var fate = table.classes[index].claimants.isEmpty ? Fate.unclaimed : .dropped
    for copy in table.classes[index].copies.indices {
      let share = table.classes[index].copies[copy].share
      if table.shares[share].threshold > 0, ScoreKey.of(number, rows) < table.shares[share].threshold {
        noteDropped(number, count, rows)
        continue
      }
      fate = .placed
      let provider =
        table.shares[share].levels.isEmpty
        ? table.shares[share].take(count) : table.shares[share].take(count, ScoreKey.of(number, rows, family))
      if provider == PlacementShare.heldAlready {
        figures.providers[table.classes[index].copies[copy].home].leftToOthers += count
        continue
      }
      let isSpill = !table.classes[index].claimants.contains(table.layout.providers[provider].item)
      if !scratch.touched.contains(provider) { scratch.touched.append(provider) }
      switch family {
      case .blocking:
        if isSpill, !scratch.blocked[provider] { figures.providers[provider].spilledIn += count }
        scratch.blocked[provider] = true
      case .identification:
        // Two copies may come to one provider, which then holds the number once, with the label that it asks for itself,
        // else with that of the first.
        let home = table.classes[index].copies[copy].home
        let isOwn = table.layout.providers[home].item == table.layout.providers[provider].item
        guard isOwn || scratch.labelRow[provider] == nil else { continue }
        if isSpill { figures.providers[provider].spilledIn += count }
        scratch.labelRow[provider] = Self.labelRow(rows, table.classes[index].copies[copy].ownSources, repeats)
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

  private mutating func note(_ provider: Int, _ run: EntryRun) {
    if run.entry.isBlocked { placed[provider].blocking += run.count }
    if run.entry.label != nil { placed[provider].identification += run.count }
    placed[provider].first = min(placed[provider].first, run.entry.number.rawValue)
    placed[provider].last = run.entry.number.rawValue &+ Int64(run.count &- 1)
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
        figures.accounts[source].read += count
        if merged.isRemoved || merged.isAllowed {
          figures.accounts[source].removed += count
        } else {
          book(source, count, isFirst: !blockSeen, block)
        }
        blockSeen = true
      }
      if row.action.isIdentifying {
        figures.accounts[source].read += count
        if merged.isRemoved {
          figures.accounts[source].removed += count
        } else if merged.labelRow == nil {
          figures.accounts[source].refused += count
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
      figures.accounts[source].merged += count
      return
    }
    switch fate {
    case .placed: figures.accounts[source].used += count
    case .dropped: figures.accounts[source].dropped += count
    case .unclaimed: figures.accounts[source].unclaimed += count
    }
  }

  private mutating func bookRule(_ source: Int, _ count: Int, _ seen: inout Bool) {
    figures.accounts[source].read += count
    if seen { figures.accounts[source].merged += count } else { figures.accounts[source].used += count }
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

/// Whether the labels of one number differ, without copying them.
private struct LabelComparison {
  private var first: UnsafeRawBufferPointer?
  private(set) var differ = false
  /// Labels that are not empty.
  private(set) var count = 0

  mutating func add(_ label: UnsafeRawBufferPointer) {
    guard !label.isEmpty else { return }
    count += 1
    if let first { differ = differ || !first.elementsEqual(label) } else { first = label }
  }
}

extension EntryAction {
  fileprivate var isIdentifying: Bool { self == .identify || self == .both }
  fileprivate var isBlocking: Bool { self == .block || self == .both }
}
