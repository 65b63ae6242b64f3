import CallDirectory
import PhoneNumbering
import ShardPlanning
import TestSupport
import Testing

/// What holds of every plan over every rows: limits, conservation, labels, accounts, stability, determinism, and the decision in every
/// settings order and on/off subset.
@Suite struct PropertyTests {
  @Test(arguments: 0..<30)
  func `Random plans of every kind keep limits and accounts, lose nothing, and decide as the rows do`(batch: Int) throws
  {
    for step in 0..<10 {
      let seed = 50_000_000 + UInt64(batch * 10 + step)
      // The decisions of five providers in every order and subset take long: few such worlds.
      try check(seed, providers: step == 0 && batch % 3 == 0 ? 5 : 4, isDecided: step < 2)
    }
  }

  private func check(_ seed: UInt64, providers: Int, isDecided: Bool) throws {
    var world = EverythingWorld(seed: seed, providers: providers)
    let rows = world.rows()
    let rules = world.rules()
    let later = world.rows()
    let what = "seed \(seed)"
    let numbers = EverythingWorld.stretches.flatMap { Array($0) }
    guard let first = try planned(rows, rules, nil, what) else { return }
    let again = try plan(rows, rules, areas: EverythingWorld.areas, after: nil)
    #expect(again.placed == first.placed && again.report.accounts == first.report.accounts, "the same again: \(what)")
    let same = try plan(rows, rules, areas: EverythingWorld.areas, after: first)
    #expect(same.placed == first.placed && same.groups == first.groups, "nothing moves without a change: \(what)")
    let model = PlanModel(rows, rules, areas: EverythingWorld.areas)
    if isDecided, first.providers.count <= 5 {
      #expect(model.misdecision(of: first.entries, numbers: numbers) == nil, "\(what)")
    }
    staysOrGoesHome(model, nil, first, what)
    guard let second = try planned(later, rules, first, "\(what), after") else { return }
    for (group, copies) in second.groups { #expect(copies.cuts == first.groups[group]?.cuts, "cuts stay: \(what)") }
    let back = try plan(later, rules, areas: EverythingWorld.areas, after: second)
    #expect(back.placed == second.placed, "nothing moves on the third day: \(what)")
    let after = PlanModel(later, rules, areas: EverythingWorld.areas)
    if isDecided, second.providers.count <= 5 {
      #expect(after.misdecision(of: second.entries, numbers: numbers) == nil, "\(what), after")
    }
    staysOrGoesHome(after, first, second, "\(what), after")
  }

  /// The plan over the rows, with all that can be said of it by itself; nil where it fails and has to.
  private func planned(_ rows: [Row], _ rules: PlanningRules, _ earlier: Planned?, _ what: String) throws -> Planned? {
    let model = PlanModel(rows, rules, areas: EverythingWorld.areas)
    do {
      let planned = try plan(rows, rules, areas: EverythingWorld.areas, after: earlier)
      #expect(model.violations(of: planned.entries) == [], "\(what)")
      let accounts = model.accounts { !planned.entries.holders($0.number, $0.family).isEmpty }
      #expect(planned.report.accounts == accounts && accounts.allSatisfy(\.isBalanced), "accounts: \(what)")
      let entries = planned.placed.values.reduce(0) { $0 + $1.entries }
      #expect(planned.report.providers.reduce(0) { $0 + $1.counts.total } == entries, "figures: \(what)")
      return planned
    } catch let error as PlanningError {
      switch error.kind {
      case .unclaimed(let counts):
        let nobodys = model.entries.filter(\.claiming.isEmpty)
        #expect(counts.total == nobodys.count && counts.blocking == nobodys.count { $0.family == .blocking }, "\(what)")
        #expect(counts.total > 0 && (rules.unclaimed == .error || counts.blocking > 0), "\(what)")
      case .noRoom(let shortages):
        // Under `keep` two copies of an entry count as two: a plan may fail that would just fit.
        guard rules.overlaps == .collapse else { return nil }
        let missing = shortages.reduce(0) { $0 + $1.missing }
        #expect(missing > 0 && missing == Self.unseated(model), "\(what)")
      default: throw error
      }
      return nil
    }
  }

  /// Entries that must have a place and cannot, at best.
  private static func unseated(_ model: PlanModel) -> Int {
    var roomy = model.rules
    for index in roomy.providers.indices {
      switch roomy.providers[index].count {
      case .single: break
      case .fixed(let count): roomy.providers[index].limit *= count
      case .auto: roomy.providers[index].limit *= CopyCount.most
      }
    }
    var seats = Seats(roomy)
    let needed = model.entries.filter { entry in
      entry.claimants.first.map { !model.mayBeDropped(entry, $0) } ?? false
    }
    return needed.count { !seats.take(model.places($0, of: $0.claimants[0])) }
  }

  // MARK: The next day

  /// Where every entry can be where it was or, when new, at home, without any limit being passed, it is there: nothing moves
  /// and nothing spills.
  private func staysOrGoesHome(_ model: PlanModel, _ earlier: Planned?, _ planned: Planned, _ what: String) {
    let isTight = model.rules.providers.contains { $0.limit < EntryLimit.maximum }
    guard !isTight || model.rules.overlaps == .collapse else { return }
    var load: [ProviderID: Int] = [:]
    var expected: [(entry: PlanModel.Entry, places: [ProviderID])] = []
    for entry in model.entries {
      let places = model.wishes(entry).map { claimant -> ProviderID in
        let before = earlier?.entries.holders(entry.number, entry.family) ?? []
        // Where it was may be a place that it may only spill to now: it stays all the same.
        let allowed = model.places(entry, of: claimant).filter {
          model.rules.overlaps == .collapse || $0 == claimant || !model.answers($0, for: claimant, entry)
        }
        let old = allowed.lazy.compactMap { item in
          before.first { planned.providers.contains($0) && model.item(of: $0) == item }
        }
        return old.first ?? Self.home(entry, claimant, planned)
      }
      for place in places { load[place, default: 0] += 1 }
      expected.append((entry, places))
    }
    guard planned.providers.allSatisfy({ load[$0, default: 0] <= model.provider(model.item(of: $0)).limit }) else {
      return
    }
    for (entry, places) in expected {
      let now = planned.entries.holders(entry.number, entry.family)
      #expect(Set(now) == Set(places), "\(entry.number) \(entry.family) is in \(now), not in \(places): \(what)")
    }
  }

  /// A claimant, or the copy of it whose range has the number.
  private static func home(_ entry: PlanModel.Entry, _ item: ProviderID, _ planned: Planned) -> ProviderID {
    guard let group = planned.groups[item] else { return item }
    let copy = group.cuts.count { $0.rawValue <= entry.number }
    return CopyCount.id(item, copy: min(copy, group.copies - 1) + 1) ?? item
  }
}
