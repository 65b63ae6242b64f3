internal import CallDirectory

/// Finds the class of an entry, making it when it is new.
struct Classifier {
  let matcher: ClaimMatcher
  var classes: [PlacementClass] = []

  private let rules: PlanningRules
  private let spill: SpillChains
  /// By family: the class of a clause set.
  private var known: [[ClauseSet: Int]] = [[:], [:]]
  /// By family: the last answer; neighbours in number order are mostly of one class.
  private var last: [(set: ClauseSet, index: Int)] = [(.none, -1), (.none, -1)]
  private var step = 0

  init(_ rules: PlanningRules, _ matcher: ClaimMatcher) {
    self.rules = rules
    self.matcher = matcher
    spill = SpillChains(rules.providers)
  }

  /// The index in `classes` of the entry of `number` in `family`.
  @inline(__always)
  mutating func classify(_ number: PhoneNumber, _ family: EntryFamily, _ entry: MergedNumber.Family) -> Int {
    let slot = Int(family.rawValue)
    let set = matcher.numbers.clauses(for: number.rawValue, from: &step)
      .intersection(entry.areas).intersection(entry.sources).intersection(matcher.families[slot])
    if last[slot].index >= 0, last[slot].set == set { return last[slot].index }
    let index = known[slot][set] ?? add(set, family)
    last[slot] = (set, index)
    return index
  }

  private mutating func add(_ set: ClauseSet, _ family: EntryFamily) -> Int {
    classes.append(PlacementClass(family: family, set: set, matcher: matcher, rules: rules, spill: spill))
    known[Int(family.rawValue)][set] = classes.count - 1
    return classes.count - 1
  }
}
