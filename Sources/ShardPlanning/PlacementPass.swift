public import CallDirectory

/// The last walk over the rows: gives each entry its place and keeps the accounts. Made by `PlacementPlanner.allocate`.
/// Used by one thread at a time.
public final class PlacementPass {
  /// The providers that a phone sees: those of the plan in their order, each with its copies.
  public let providers: [PlacedProvider]
  /// The groups of copies as they are now, for the manifest of the release.
  public let groups: [ProviderID: CopyGroup]

  // Behind a pointer, not a stored property: those of an object are checked for exclusive access at each use, and a walk
  // over millions of numbers uses little else.
  private let state: UnsafeMutablePointer<PlacementState>
  /// What it was made of.
  private let start: (rules: PlanningRules, classifier: Classifier, table: PlacementTable)

  init(rules: PlanningRules, classifier: Classifier, table: PlacementTable) {
    providers = table.layout.providers
    var groups: [ProviderID: CopyGroup] = [:]
    for (item, group) in table.layout.groups.enumerated() { groups[rules.providers[item].id] = group }
    self.groups = groups
    start = (rules, classifier, table)
    state = .allocate(capacity: 1)
    state.initialize(to: PlacementState(rules: rules, classifier: classifier, table: table))
  }

  /// A pass that places everything again, from the beginning.
  public func again() -> PlacementPass {
    PlacementPass(rules: start.rules, classifier: start.classifier, table: start.table)
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Places the entries of the first of `numbers`, which have the same rows and places: of as many as go the same way. `emit` is
  /// called once for each provider that gets something, with its position in `providers` and a borrowed run; each run has
  /// all numbers placed. The same rows and places in the same order as in the tally, whatever the pieces. O(rows), no
  /// allocation.
  ///
  /// Returns how many numbers were placed, 1 or more, and what is to be said of the labels of each. Throws what `emit` throws;
  /// the pass is of no use then. Requires: `emit` does not use the pass.
  public func place(
    _ numbers: ClosedRange<PhoneNumber>, _ rows: UnsafeBufferPointer<SourceRow>, held: HeldPlaces = .none,
    emit: (_ provider: Int, _ run: EntryRun) throws -> Void
  ) rethrows -> (count: Int, findings: NumberFindings) {
    try state.pointee.place(numbers, rows, held, emit: emit)
  }

  /// Places the entries of one number.
  @discardableResult
  public func place(
    _ number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>, held: HeldPlaces = .none,
    emit: (_ provider: Int, _ entry: DirectoryEntry) throws -> Void
  ) rethrows -> NumberFindings {
    try state.pointee.place(number...number, rows, held) { try emit($0, $1.entry) }.findings
  }

  /// What `place`, called next with the same number and rows, does with it, and why. `areas` are the texts of the rows'
  /// `AreaID`s. Costs more than placing; changes nothing.
  public func explanation(
    of number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>, held: HeldPlaces = .none, areas: [String]
  ) -> PlacementExplanation {
    state.pointee.explanation(number, rows, held, areas: areas)
  }

  /// The figures of everything placed so far.
  public var report: PlacementReport { state.pointee.report }
}
