internal import CallDirectory
internal import PhoneNumbering
package import ShardPlanning

/// Seeded random rows and plans with everything a plan can say: points and ranges, claims of all keys, both overlaps, limits, spills,
/// copies, dropping, cuts. Few numbers, so that everything collides.
package struct EverythingWorld {
  package static let areas = ["", "north", "south", "west"]
  package static let sources = ["s0", "s1", "s2"]
  /// Two countries' numbers, each in one stretch.
  package static let stretches: [ClosedRange<Int64>] = [
    79_161_234_560...79_161_234_569, 390_612_345_600...390_612_345_604,
  ]

  private var random: SeededGenerator
  private let most: Int

  /// A world whose plans have at most so many entries of `providers`.
  package init(seed: UInt64, providers most: Int) {
    random = SeededGenerator(seed: seed)
    self.most = most
  }

  package mutating func rows() -> [PlanRow] {
    (0..<Int.random(in: 1...30, using: &random)).map { index in
      let stretch = pick(Self.stretches)
      let number = Int64.random(in: stretch, using: &random)
      return PlanRow(
        number: number, last: isChosen(3) ? Int64.random(in: number...stretch.upperBound, using: &random) : nil,
        action: pick([.identify, .identify, .identify, .block, .block, .both, .allow, .remove]),
        source: Int.random(in: 0...2, using: &random), area: pick([0, 0, 1, 2, 3]),
        label: isChosen(5) ? "" : "label \(Bool.random(using: &random) ? index : index % 3)",
        score: pick([nil, nil, 0, 1, 2.5]))
    }
  }

  package mutating func rules() -> PlanningRules {
    var providers = (0..<Int.random(in: 1...most, using: &random)).map { index in
      PlannedProvider(id: ProviderID("p\(index)")!, claim: claim(), mayBeEmpty: true)
    }
    let unclaimed: UnclaimedRule = isChosen(3) ? .drop : .error
    if unclaimed == .error || Bool.random(using: &random) {
      providers[Int.random(in: providers.indices, using: &random)].claim = .rest
    }
    let isTight = isChosen(2)
    let hasCopies = isChosen(2)
    for index in providers.indices {
      if isTight { providers[index].limit = Int.random(in: 1...12, using: &random) }
      if isChosen(2) {
        providers[index].spillsTo = providers[(index + 1)...].map(\.id).filter { _ in Bool.random(using: &random) }
      }
      if isChosen(3) { providers[index].excess = .dropLowestScore }
      providers[index].dropsLabelsOfBlocked = isChosen(4)
      if hasCopies, isChosen(2) { providers[index].count = pick([.auto, .fixed(1), .fixed(2), .fixed(3)]) }
    }
    return PlanningRules(
      providers: providers, sources: Self.sources,
      repeats: (0..<Int.random(in: 0...3, using: &random)).map { _ in pick(RepeatRule.allCases) },
      overlaps: Bool.random(using: &random) ? .collapse : .keep, unclaimed: unclaimed)
  }

  private mutating func claim() -> Claim {
    let alternatives = pick([0, 0, 1, 2])
    return .matching(all: clause(), anyOf: (0..<alternatives).map { _ in clause() })
  }

  private mutating func clause() -> ClaimClause {
    var clause = ClaimClause()
    if isChosen(4) { clause.areas = pick([["north"], ["south", "west"], ["north", "south"]]) }
    if isChosen(5) { clause.prefixes = pick([["7"], ["39061234560", "7916123456"], ["790", "3906"]]) }
    if isChosen(5) { clause.countries = pick([[.italy], [.russia], [.russia, .italy]]) }
    if isChosen(4) { clause.sources = pick([["s0"], ["s1", "s2"], ["s2"]]) }
    if isChosen(5) { clause.actions = pick([[.block], [.identify], [.both]]) }
    if isChosen(5) {
      let low = Int64.random(in: Self.stretches[0], using: &random)
      let high = Int64.random(
        in: Bool.random(using: &random) ? low...Self.stretches[0].upperBound : Self.stretches[1], using: &random)
      clause.ranges = [PhoneNumber(low)...PhoneNumber(high)]
    }
    return clause
  }

  private mutating func isChosen(_ outOf: Int) -> Bool { Int.random(in: 0..<outOf, using: &random) == 0 }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }
}

extension RegionCode {
  fileprivate static var italy: RegionCode { RegionCode("IT")! }
  fileprivate static var russia: RegionCode { RegionCode("RU")! }
}
