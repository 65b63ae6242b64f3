package import CallDirectory
internal import PhoneNumbering
package import ShardPlanning

/// What the rules say of a plan and its rows, one entry at a time, and nothing about how room is shared out: which entries there
/// are, who may hold each and under which label, and what the accounts come to. Naive on purpose.
package struct PlanModel {
  package let rules: PlanningRules
  package let areas: [String]
  /// Rows by number, in the order of sources and lines; a range stands under each of its numbers.
  package let rows: [Int64: [PlanRow]]
  package private(set) var entries: [Entry] = []

  /// One number in one family after merging and cutting.
  package struct Entry {
    package var number: Int64
    package var family: EntryFamily
    package var rows: [PlanRow]
    /// Ids of the providers that claim it, in plan order.
    package var claiming: [ProviderID]
    /// Those of them that may hold it.
    package var claimants: [ProviderID]
    package var isOfBlocked: Bool
    /// The label under `collapse`; empty for a block.
    package var label: String
    package var score: Double?
  }

  package init(_ rows: [PlanRow], _ rules: PlanningRules, areas: [String]) {
    self.rules = rules
    self.areas = areas
    var byNumber: [Int64: [PlanRow]] = [:]
    for row in rows.enumerated().sorted(by: { ($0.element.source, $0.offset) < ($1.element.source, $1.offset) }) {
      for number in row.element.numbers { byNumber[number, default: []].append(row.element) }
    }
    self.rows = byNumber
    for number in byNumber.keys.sorted() { add(number, byNumber[number] ?? []) }
  }

  private mutating func add(_ number: Int64, _ rows: [PlanRow]) {
    guard !rows.contains(where: { $0.action == .remove }) else { return }
    let blocking = rows.filter { $0.action.families.contains(.blocking) }
    let isBlocked = !blocking.isEmpty && !rows.contains { $0.action == .allow }
    if isBlocked { add(number, .blocking, blocking, isOfBlocked: false) }
    let naming = rows.filter { $0.action.families.contains(.identification) }
    if naming.contains(where: { !$0.label.isEmpty }) { add(number, .identification, naming, isOfBlocked: isBlocked) }
  }

  private mutating func add(_ number: Int64, _ family: EntryFamily, _ rows: [PlanRow], isOfBlocked: Bool) {
    let claiming = rules.providers.filter { claims($0, number, rows, family) }.map(\.id)
    let rest = rules.providers.filter { if case .rest = $0.claim { true } else { false } }.map(\.id)
    let all = claiming.isEmpty ? rest : claiming
    let isNaming = family == .identification
    entries.append(
      Entry(
        number: number, family: family, rows: rows, claiming: all,
        claimants: all.filter { !(isOfBlocked && provider($0).dropsLabelsOfBlocked) }, isOfBlocked: isOfBlocked,
        label: isNaming ? label(rows.filter { !$0.label.isEmpty }, like: nil) : "",
        score: rows.compactMap(\.score).max()))
  }

  package func provider(_ id: ProviderID) -> PlannedProvider {
    rules.providers.first { $0.id == id } ?? rules.providers[0]
  }

  // MARK: Claims

  private func claims(_ provider: PlannedProvider, _ number: Int64, _ rows: [PlanRow], _ family: EntryFamily) -> Bool {
    guard case .matching(let all, let anyOf) = provider.claim else { return false }
    return holds(all, number, rows, family) && (anyOf.isEmpty || anyOf.contains { holds($0, number, rows, family) })
  }

  private func holds(_ clause: ClaimClause, _ number: Int64, _ rows: [PlanRow], _ family: EntryFamily) -> Bool {
    if let areas = clause.areas, !rows.contains(where: { $0.area > 0 && areas.contains(self.areas[$0.area]) }) {
      return false
    }
    if let sources = clause.sources, !rows.contains(where: { sources.contains(rules.sources[$0.source]) }) {
      return false
    }
    if let prefixes = clause.prefixes, !prefixes.contains(where: { "\(number)".hasPrefix($0) }) { return false }
    if let countries = clause.countries, !countries.contains(where: { Self.isOf($0, number) }) { return false }
    if let ranges = clause.ranges, !ranges.contains(where: { $0.contains(PhoneNumber(number)) }) { return false }
    if let actions = clause.actions, !actions.contains(where: { $0.families.contains(family) }) { return false }
    return true
  }

  /// The countries of the numbers that random plans have.
  private static func isOf(_ region: RegionCode, _ number: Int64) -> Bool {
    let text = "\(number)"
    return region.rawValue == "IT" ? text.hasPrefix("39") : region.rawValue == "RU" ? text.hasPrefix("7") : false
  }

  // MARK: Places

  /// Everybody to whom spills of a provider lead, one after the other, up to the first for which `stops` holds.
  private func chain(_ id: ProviderID, without: [ProviderID], stops: (ProviderID) -> Bool) -> [ProviderID] {
    var found: [ProviderID] = []
    func follow(_ id: ProviderID) -> Bool {
      for target in provider(id).spillsTo where !found.contains(target) && !without.contains(target) {
        found.append(target)
        if stops(target) || !follow(target) { return false }
      }
      return true
    }
    _ = follow(id)
    return found
  }

  /// The entries of the plan that may hold a copy that `claimant` asks for (`keep`), or any copy (`collapse`).
  package func places(_ entry: Entry, of claimant: ProviderID) -> [ProviderID] {
    let mayHold = { (id: ProviderID) in !(entry.isOfBlocked && provider(id).dropsLabelsOfBlocked) }
    switch rules.overlaps {
    case .collapse:
      return
        (entry.claimants
        + entry.claimants.flatMap { chain($0, without: entry.claimants) { _ in false } }).filter(mayHold)
    case .keep:
      return ([claimant] + chain(claimant, without: [claimant]) { answers($0, for: claimant, entry) }).filter(mayHold)
    }
  }

  /// Whether `target`, to which `claimant` spills, has a copy of the entry that counts for both (`keep`): not where it may drop what the
  /// other may not.
  package func answers(_ target: ProviderID, for claimant: ProviderID, _ entry: Entry) -> Bool {
    entry.claimants.contains(target) && (mayBeDropped(entry, claimant) || !mayBeDropped(entry, target))
  }

  /// The copies that an entry needs places for, by claimant.
  package func wishes(_ entry: Entry) -> [ProviderID] {
    rules.overlaps == .keep ? entry.claimants : Array(entry.claimants.prefix(1))
  }

  package func mayBeDropped(_ entry: Entry, _ claimant: ProviderID) -> Bool {
    entry.family == .identification && provider(claimant).excess == .dropLowestScore
  }

  // MARK: Labels

  /// The label under `keep` that `claimant` asks for: of its own sources if it names some that give one.
  package func ownLabel(_ entry: Entry, _ claimant: ProviderID) -> String {
    let labelled = entry.rows.filter { !$0.label.isEmpty }
    guard rules.overlaps == .keep, case .matching(let all, let anyOf) = provider(claimant).claim else {
      return entry.label
    }
    let alternatives = anyOf.filter { holds($0, entry.number, entry.rows, .identification) }
    let own = labelled.first { row in
      let source = rules.sources[row.source]
      return all.sources?.contains(source) ?? true
        && (alternatives.isEmpty || alternatives.contains { $0.sources?.contains(source) ?? true })
    }
    return label(labelled, like: own)
  }

  /// The label that counts among those of the source of `row`, or of the first.
  private func label(_ labelled: [PlanRow], like row: PlanRow?) -> String {
    guard let source = row?.source ?? labelled.first?.source else { return "" }
    let own = labelled.filter { $0.source == source }
    switch source < rules.repeats.count ? rules.repeats[source] : .first {
    case .first: return own[0].label
    case .mostFrequent:
      let counts = Dictionary(grouping: own, by: \.label).mapValues(\.count)
      return own.first { counts[$0.label] == counts.values.max() }?.label ?? ""
    case .highestScore:
      let highest = own.compactMap(\.score).max()
      return own.first { $0.score == highest }?.label ?? ""
    }
  }

  // MARK: Accounts

  /// By source, what became of every occurrence when `isPlaced` says which entries have a place.
  package func accounts(isPlaced: (Entry) -> Bool) -> [OccurrenceAccounts] {
    var accounts = rules.sources.map { _ in OccurrenceAccounts() }
    for (number, rows) in rows {
      let isRemoved = rows.contains { $0.action == .remove }
      let isAllowed = rows.contains { $0.action == .allow }
      for rule in [EntryAction.allow, .remove] {
        for (index, row) in rows.filter({ $0.action == rule }).enumerated() {
          accounts[row.source].read += 1
          if index == 0 { accounts[row.source].used += 1 } else { accounts[row.source].merged += 1 }
        }
      }
      for family in EntryFamily.allCases {
        let own = rows.filter { $0.action.families.contains(family) }
        let entry = entries.first { $0.number == number && $0.family == family }
        let first =
          family == .blocking ? own.indices.first : own.indices.first { !own[$0].label.isEmpty }
        for (index, row) in own.enumerated() {
          accounts[row.source].read += 1
          if isRemoved || family == .blocking && isAllowed {
            accounts[row.source].removed += 1
          } else if let entry {
            if index != first {
              accounts[row.source].merged += 1
            } else if isPlaced(entry) {
              accounts[row.source].used += 1
            } else if entry.claiming.isEmpty {
              accounts[row.source].unclaimed += 1
            } else {
              accounts[row.source].dropped += 1
            }
          } else {
            accounts[row.source].refused += 1
          }
        }
      }
    }
    return accounts
  }
}
