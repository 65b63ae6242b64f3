internal import CallDirectory

/// The claims of a plan, compiled: which clauses an entry satisfies, and which providers claim it then.
struct ClaimMatcher: Sendable {
  /// Bits of one provider's claim.
  struct ProviderClauses: Sendable {
    /// The clause that must hold.
    var all: Int
    /// The clauses of which one must hold; empty when there are no alternatives.
    var anyOf: [Int]
  }

  let numbers: NumberClauses
  /// By area id: clauses whose `areas` key holds for a row of that area.
  let areas: [ClauseSet]
  /// By area id: the first area with the same clauses. Claims tell few kinds of areas apart, however many there are.
  let areaKinds: [AreaID]
  /// By source: clauses whose `sources` key holds for a row of that source.
  let sources: [ClauseSet]
  /// By family: clauses whose `actions` key holds.
  let families: [ClauseSet]
  /// By provider position; nil for `rest` and for providers without claims.
  let providers: [ProviderClauses?]
  /// Positions of the providers that take what nobody else claims.
  let rest: [Int]

  private let clauses: [ClaimClause]
  private let sourceIndex: [String: Int]

  /// Compiles the claims of `rules` for a run whose area names are `areas`.
  init(_ rules: PlanningRules, areas areaNames: [String]) throws(PlanningError) {
    var clauses: [ClaimClause] = []
    var providers: [ProviderClauses?] = []
    var rest: [Int] = []
    for (position, provider) in rules.providers.enumerated() {
      switch provider.claim {
      case nil: providers.append(nil)
      case .rest:
        providers.append(nil)
        rest.append(position)
      case .matching(let all, let anyOf):
        let first = clauses.count
        clauses.append(all)
        clauses.append(contentsOf: anyOf)
        providers.append(ProviderClauses(all: first, anyOf: Array(first + 1..<clauses.count)))
      }
    }
    guard clauses.count <= ClauseSet.capacity else {
      throw .tooManyClauses(count: clauses.count, most: ClauseSet.capacity)
    }
    sourceIndex = Dictionary(rules.sources.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var areaIndex: [String: [Int]] = [:]
    for (clause, keys) in clauses.enumerated() {
      for area in keys.areas ?? [] { areaIndex[area, default: []].append(clause) }
    }
    let unbound = Self.clauses(clauses) { $0.areas == nil }
    areas = areaNames.enumerated().map { index, name in
      var set = unbound
      // Index 0 stands for "no area", whatever its text.
      if index > 0 { for clause in areaIndex[name] ?? [] { set.insert(clause) } }
      return set
    }
    var firstOfKind: [ClauseSet: AreaID] = [:]
    for (index, set) in areas.enumerated().reversed() { firstOfKind[set] = AreaID(rawValue: UInt32(index)) }
    areaKinds = areas.map { firstOfKind[$0] ?? .none }
    sources = rules.sources.map { source in
      Self.clauses(clauses) { $0.sources.map { $0.contains(source) } ?? true }
    }
    families = EntryFamily.allCases.map { family in
      Self.clauses(clauses) { $0.actions.map { $0.contains { $0.families.contains(family) } } ?? true }
    }
    numbers = NumberClauses(clauses)
    self.clauses = clauses
    self.providers = providers
    self.rest = rest
  }

  /// The clauses whose `areas`, `sources` and `actions` keys hold for an entry of `family`: each key for one of the rows that
  /// ask for it.
  func clauses(of rows: UnsafeBufferPointer<SourceRow>, _ family: EntryFamily) -> ClauseSet {
    var areas = ClauseSet.none
    var sources = ClauseSet.none
    for row in rows where family == .blocking ? row.action.isBlocking : row.action.isIdentifying {
      areas.formUnion(self.areas[Int(row.area.rawValue)])
      sources.formUnion(self.sources[row.source])
    }
    return areas.intersection(sources).intersection(families[Int(family.rawValue)])
  }

  /// Positions of the providers that claim an entry for which exactly the clauses in `set` hold, in plan order.
  func claimants(_ set: ClauseSet) -> [Int] {
    let claimants = providers.indices.filter { position in
      guard let provider = providers[position], set.contains(provider.all) else { return false }
      return provider.anyOf.isEmpty || provider.anyOf.contains(where: set.contains)
    }
    return claimants.isEmpty ? rest : claimants
  }

  /// By source: whether it is one of `provider`'s own for an entry that satisfies `set`; nil when all are.
  func ownSources(of provider: Int, _ set: ClauseSet) -> [Bool]? {
    guard let bits = providers[provider] else { return nil }
    let alternatives = bits.anyOf.filter(set.contains).map { clauses[$0].sources }
    let limits = [clauses[bits.all].sources] + (alternatives.contains(nil) ? [] : [alternatives.flatMap { $0 ?? [] }])
    let stated = limits.compactMap(\.self).filter { !$0.isEmpty }
    guard !stated.isEmpty else { return nil }
    return sources.indices.map { index in stated.allSatisfy { $0.contains { sourceIndex[$0] == index } } }
  }

  private static func clauses(_ clauses: [ClaimClause], where holds: (ClaimClause) -> Bool) -> ClauseSet {
    var set = ClauseSet.none
    for (index, clause) in clauses.enumerated() where holds(clause) { set.insert(index) }
    return set
  }
}
