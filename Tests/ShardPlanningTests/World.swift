import CallDirectory
import PhoneNumbering
import ShardPlanning
import TestSupport

/// A seeded random plan with few numbers, so that everything collides.
struct World {
  static let areas = ["", "north", "south"]
  private var random: SeededGenerator
  private let limits: Bool
  /// Whether labels may be dropped at some providers.
  private let drops: Bool
  /// Whether some providers have copies.
  private let copies: Bool

  init(seed: UInt64, limits: Bool, drops: Bool = false, copies: Bool = false) {
    random = SeededGenerator(seed: seed)
    self.limits = limits
    self.drops = drops
    self.copies = copies
  }

  mutating func make() -> ([Row], PlanningRules) {
    let rows = rows()
    return (rows, rules())
  }

  mutating func rows() -> [Row] {
    // Few numbers now and then, so that one source repeats one number often.
    let isCrowded = Int.random(in: 0..<4, using: &random) == 0
    return (0..<Int.random(in: 1...(isCrowded ? 150 : 40), using: &random)).map { index in
      Row(
        number: Int64.random(in: 10_000_000...(isCrowded ? 10_000_001 : 10_000_015), using: &random)
          * (Bool.random(using: &random) ? 1 : 10),
        action: [.identify, .identify, .block, .both, .allow, .remove].randomElement(using: &random) ?? .identify,
        source: Int.random(in: 0...2, using: &random), area: Int.random(in: 0...2, using: &random),
        label: Bool.random(using: &random) ? "label \(Bool.random(using: &random) ? index : index % 5)" : "",
        score: [nil, -1, 0, 1, 2, 2.5].randomElement(using: &random) ?? nil)
    }
  }

  mutating func rules() -> PlanningRules {
    let sources = ["s0", "s1", "s2"]
    var providers = (0..<Int.random(in: 1...4, using: &random)).map { index in
      PlannedProvider(id: id("p\(index)"), claim: .matching(all: clause(), anyOf: alternatives()), mayBeEmpty: true)
    }
    providers.append(PlannedProvider(id: id("rest"), claim: .rest))
    if limits {
      for index in providers.indices {
        providers[index].limit = Int.random(in: 1...12, using: &random)
        if index + 1 < providers.count, Bool.random(using: &random) {
          providers[index].spillsTo = [providers[Int.random(in: index + 1..<providers.count, using: &random)].id]
        }
      }
    }
    for index in providers.indices where drops && Bool.random(using: &random) {
      providers[index].excess = .dropLowestScore
    }
    for index in providers.indices where copies && Bool.random(using: &random) {
      providers[index].count = Bool.random(using: &random) ? .auto : .fixed(Int.random(in: 1...3, using: &random))
    }
    let overlaps: OverlapRule = limits || Bool.random(using: &random) ? .collapse : .keep
    let repeats = (0..<Int.random(in: 0...3, using: &random)).map { _ in
      RepeatRule.allCases.randomElement(using: &random) ?? .first
    }
    return PlanningRules(providers: providers, sources: sources, repeats: repeats, overlaps: overlaps)
  }

  private mutating func alternatives() -> [ClaimClause] {
    (0..<Int.random(in: 0...2, using: &random)).map { _ in clause() }
  }

  private mutating func clause() -> ClaimClause {
    var clause = ClaimClause()
    if Int.random(in: 0..<4, using: &random) == 0 { clause.areas = Bool.random(using: &random) ? ["north"] : ["south"] }
    if Int.random(in: 0..<4, using: &random) == 0 { clause.prefixes = ["1000001"] }
    if Int.random(in: 0..<4, using: &random) == 0 {
      clause.sources = Bool.random(using: &random) ? ["s0"] : ["s1", "s2"]
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      clause.actions = Bool.random(using: &random) ? [.block] : [.identify]
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      clause.ranges = [
        PhoneNumber(10_000_004)...PhoneNumber(10_000_009), PhoneNumber(100_000_000)...PhoneNumber(100_000_070),
      ]
    }
    return clause
  }

  // MARK: The model

  func expected(_ provider: PlannedProvider, _ rows: [Row], _ rules: PlanningRules) -> Placed {
    var placed = Placed()
    for number in Set(rows.map(\.number)).sorted() {
      for family in EntryFamily.allCases {
        let contributing = contributing(rows, number, family)
        guard !contributing.isEmpty else { continue }
        let claimants = claimants(contributing, family, rules)
        let holders = rules.overlaps == .keep ? claimants : Array(claimants.prefix(1))
        guard holders.contains(provider.id) else { continue }
        if family == .blocking {
          placed.blocked.append(number)
        } else {
          placed.labels[number] = label(contributing, provider, rules)
        }
      }
    }
    return placed
  }

  /// Rows that stand behind an entry after the cuts, in source order; none when there is no entry.
  private func contributing(_ rows: [Row], _ number: Int64, _ family: EntryFamily) -> [Row] {
    let same = rows.enumerated().filter { $0.element.number == number }
      .sorted { ($0.element.source, $0.offset) < ($1.element.source, $1.offset) }.map(\.element)
    if same.contains(where: { $0.action == .remove }) { return [] }
    if family == .blocking, same.contains(where: { $0.action == .allow }) { return [] }
    let contributing = same.filter { $0.action.families.contains(family) }
    if family == .identification, contributing.allSatisfy(\.label.isEmpty) { return [] }
    return contributing
  }

  private func claimants(_ rows: [Row], _ family: EntryFamily, _ rules: PlanningRules) -> [ProviderID] {
    let claiming = rules.providers.filter { provider in
      guard case .matching(let all, let anyOf) = provider.claim else { return false }
      return holds(all, rows, family) && (anyOf.isEmpty || anyOf.contains { holds($0, rows, family) })
    }
    return claiming.isEmpty ? [id("rest")] : claiming.map(\.id)
  }

  private func holds(_ clause: ClaimClause, _ rows: [Row], _ family: EntryFamily) -> Bool {
    if let areas = clause.areas, !rows.contains(where: { areas.contains(Self.areas[$0.area]) }) { return false }
    if let sources = clause.sources, !rows.contains(where: { sources.contains("s\($0.source)") }) { return false }
    if let prefixes = clause.prefixes, !prefixes.contains(where: { String(rows[0].number).hasPrefix($0) }) {
      return false
    }
    if let ranges = clause.ranges, !ranges.contains(where: { $0.contains(PhoneNumber(rows[0].number)) }) {
      return false
    }
    if let actions = clause.actions, !actions.contains(where: { $0.families.contains(family) }) { return false }
    return true
  }

  private func label(_ rows: [Row], _ provider: PlannedProvider, _ rules: PlanningRules) -> String {
    let labelled = rows.filter { !$0.label.isEmpty }
    guard rules.overlaps == .keep, case .matching(let all, let anyOf) = provider.claim else {
      return chosen(labelled, like: labelled[0], rules)
    }
    let alternatives = anyOf.filter { holds($0, rows, .identification) }
    let own = labelled.first { row in
      let source = "s\(row.source)"
      return all.sources?.contains(source) ?? true
        && (alternatives.isEmpty || alternatives.contains { $0.sources?.contains(source) ?? true })
    }
    return chosen(labelled, like: own ?? labelled[0], rules)
  }

  /// The label that counts among those of one source.
  private func chosen(_ labelled: [Row], like row: Row, _ rules: PlanningRules) -> String {
    let own = labelled.filter { $0.source == row.source }
    switch row.source < rules.repeats.count ? rules.repeats[row.source] : .first {
    case .first: return own[0].label
    case .mostFrequent:
      let counts = Dictionary(grouping: own, by: \.label).mapValues(\.count)
      return own.first { counts[$0.label] == counts.values.max() }?.label ?? ""
    case .highestScore:
      let highest = own.compactMap(\.score).max()
      return own.first { $0.score == highest }?.label ?? ""
    }
  }

  /// An entry of the model.
  struct Entry {
    var number: Int64
    var family: EntryFamily
    /// Providers that may hold it, the first claimant first.
    var reachable: [ProviderID]
    var score: Double?
  }

  /// All entries in ascending order of number.
  func entries(_ rows: [Row], _ rules: PlanningRules) -> [Entry] {
    Set(rows.map(\.number)).sorted().flatMap { number in
      EntryFamily.allCases.compactMap { family -> Entry? in
        let contributing = contributing(rows, number, family)
        guard !contributing.isEmpty else { return nil }
        var reachable = claimants(contributing, family, rules)
        var next = 0
        while next < reachable.count {
          let spills = rules.providers.first { $0.id == reachable[next] }?.spillsTo ?? []
          reachable += spills.filter { !reachable.contains($0) }
          next += 1
        }
        return Entry(
          number: number, family: family, reachable: reachable, score: contributing.compactMap(\.score).max())
      }
    }
  }

  /// How many entries can be placed at best, by trying to improve a matching entry by entry (Kuhn's algorithm).
  func mostThatFit(_ rows: [Row], _ rules: PlanningRules) -> Int {
    var seats = Seats(rules)
    return entries(rows, rules).count { seats.take($0.reachable) }
  }
}

/// The places of providers, each taken by an entry that may sit in some of them.
struct Seats {
  private var slots: [ProviderID: [[ProviderID]]] = [:]
  private let limits: [ProviderID: Int]

  init(_ rules: PlanningRules) {
    limits = Dictionary(uniqueKeysWithValues: rules.providers.map { ($0.id, $0.limit) })
  }

  /// Seats an entry, moving others where that helps; none loses its seat.
  mutating func take(_ reachable: [ProviderID]) -> Bool {
    var visited: Set<ProviderID> = []
    return seat(reachable, &visited)
  }

  private mutating func seat(_ reachable: [ProviderID], _ visited: inout Set<ProviderID>) -> Bool {
    for provider in reachable where visited.insert(provider).inserted {
      if slots[provider, default: []].count < limits[provider] ?? 0 {
        slots[provider, default: []].append(reachable)
        return true
      }
      for (index, other) in slots[provider, default: []].enumerated() where seat(other, &visited) {
        slots[provider]?[index] = reachable
        return true
      }
    }
    return false
  }
}
