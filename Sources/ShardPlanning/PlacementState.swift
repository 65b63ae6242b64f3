internal import CallDirectory

/// What a `PlacementPass` works on: a value, so that nothing but its place in memory is passed around per number.
struct PlacementState {
  let rules: PlanningRules
  var classifier: Classifier
  var table: PlacementTable
  private var figures: PlacementReport
  private var scratch: Scratch
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
    _ number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>, _ held: HeldPlaces,
    emit: (_ provider: Int, _ entry: DirectoryEntry) throws -> Void
  ) rethrows -> NumberFindings {
    let merged = MergedNumber(rows, classifier.matcher)
    let isBlocked = merged.isBlocked
    var block = Fate.unclaimed
    var label = Fate.unclaimed
    if isBlocked { block = choose(number, .blocking, merged.blocking, rows, held.blocking, isBlocked: true) }
    if merged.isIdentified {
      label = choose(
        number, .identification, merged.identification, rows, held.identification, isBlocked: isBlocked)
    }
    let findings = account(number, rows, merged, block: block, label: label)
    for provider in scratch.touched {
      let entry = DirectoryEntry(
        number: number, isBlocked: scratch.blocked[provider], label: scratch.labelRow[provider].map { rows[$0].label })
      scratch.blocked[provider] = false
      scratch.labelRow[provider] = nil
      note(provider, entry)
      try emit(provider, entry)
    }
    scratch.touched.removeAll(keepingCapacity: true)
    return findings
  }

  /// See `PlacementPass.report`.
  var report: PlacementReport {
    var report = figures
    report.providers = zip(report.providers, table.layout.providers)
      .filter { rules.providers[$1.item].claim != nil || $0.counts.total > 0 }.map(\.0)
    return report
  }

  /// Uses up a quota for each copy of the entry.
  private mutating func choose(
    _ number: PhoneNumber, _ family: EntryFamily, _ entry: MergedNumber.Family, _ rows: UnsafeBufferPointer<SourceRow>,
    _ held: PlaceSet, isBlocked: Bool
  ) -> Fate {
    let index = classifier.classify(number, family, entry, held, isBlocked: isBlocked)
    if table.classes[index].isDropped { figures.labelsOfBlocked += 1 }
    var fate = table.classes[index].claimants.isEmpty ? Fate.unclaimed : .dropped
    for copy in table.classes[index].copies.indices {
      let share = table.classes[index].copies[copy].share
      if table.shares[share].threshold > 0, ScoreKey.of(number, rows) < table.shares[share].threshold {
        noteDropped(number, rows)
        continue
      }
      fate = .placed
      let provider = table.shares[share].take()
      if provider == PlacementShare.heldAlready {
        figures.providers[table.classes[index].copies[copy].home].leftToOthers += 1
        continue
      }
      let isSpill = !table.classes[index].claimants.contains(table.layout.providers[provider].item)
      if !scratch.touched.contains(provider) { scratch.touched.append(provider) }
      switch family {
      case .blocking:
        if isSpill, !scratch.blocked[provider] { figures.providers[provider].spilledIn += 1 }
        scratch.blocked[provider] = true
      case .identification:
        // Two copies may spill to one provider, which then holds the number once, with the label of the first.
        guard scratch.labelRow[provider] == nil else { continue }
        if isSpill { figures.providers[provider].spilledIn += 1 }
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

  private mutating func note(_ provider: Int, _ entry: DirectoryEntry) {
    figures.providers[provider].counts.blocking += entry.isBlocked ? 1 : 0
    figures.providers[provider].counts.identification += entry.label == nil ? 0 : 1
    let first = figures.providers[provider].numbers?.lowerBound ?? entry.number
    figures.providers[provider].numbers = first...entry.number
  }

  // MARK: Accounts

  private mutating func account(
    _ number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>, _ merged: MergedNumber, block: Fate,
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
        figures.accounts[source].read += 1
        if merged.isRemoved || merged.isAllowed {
          figures.accounts[source].removed += 1
        } else {
          book(source, isFirst: !blockSeen, block)
        }
        blockSeen = true
      }
      if row.action.isIdentifying {
        figures.accounts[source].read += 1
        if merged.isRemoved {
          figures.accounts[source].removed += 1
        } else if merged.labelRow == nil {
          figures.accounts[source].refused += 1
          noteUnlabelled(PlacementReport.RowPosition(file: row.file, line: row.line))
        } else {
          book(source, isFirst: index == merged.labelRow, label)
        }
        labels.add(row.label)
      }
      if row.action == .allow { bookRule(source, &allowSeen) }
      if row.action == .remove { bookRule(source, &removeSeen) }
    }
    if labels.differ {
      figures.conflictingLabels += 1
    } else if labels.count > 1 {
      figures.repeatedLabels += 1
    }
    if merged.isAllowed || merged.isRemoved { noteCut(number, merged) }
    return labels.differ ? .conflictingLabels : merged.isUnlabelled ? .unlabelled : []
  }

  private mutating func book(_ source: Int, isFirst: Bool, _ fate: Fate) {
    guard isFirst else {
      figures.accounts[source].merged += 1
      return
    }
    switch fate {
    case .placed: figures.accounts[source].used += 1
    case .dropped: figures.accounts[source].dropped += 1
    case .unclaimed: figures.accounts[source].unclaimed += 1
    }
  }

  private mutating func bookRule(_ source: Int, _ seen: inout Bool) {
    figures.accounts[source].read += 1
    if seen { figures.accounts[source].merged += 1 } else { figures.accounts[source].used += 1 }
    seen = true
  }

  private mutating func noteCut(_ number: PhoneNumber, _ merged: MergedNumber) {
    if merged.isRemoved, merged.blocking.rows + merged.identification.rows > 0 {
      figures.cuts.removed += 1
    } else if merged.isAllowed, !merged.isRemoved, merged.blocking.rows > 0 {
      figures.cuts.allowed += 1
    } else {
      figures.cuts.withoutEffect += 1
      if figures.cuts.withoutEffectSamples.count < Self.sampleCount { figures.cuts.withoutEffectSamples.append(number) }
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

  /// Counts a label without room and keeps the first in the order of files and lines.
  private mutating func noteDropped(_ number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>) {
    figures.dropped += 1
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
