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

  init(rules: PlanningRules, classifier: Classifier, table: PlacementTable) {
    providers = table.layout.providers
    var groups: [ProviderID: CopyGroup] = [:]
    for (item, group) in table.layout.groups.enumerated() { groups[rules.providers[item].id] = group }
    self.groups = groups
    state = .allocate(capacity: 1)
    state.initialize(to: PlacementState(rules: rules, classifier: classifier, table: table))
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Places the entries of one number: `emit` is called once for each provider that gets something, with its position in
  /// `providers` and a borrowed entry. The same rows and places in the same order as in the tally. O(rows), no allocation.
  ///
  /// Returns what is to be said of the number's labels. Throws what `emit` throws; the pass is of no use then. Requires:
  /// `emit` does not use the pass.
  @discardableResult
  public func place(
    _ number: PhoneNumber, _ rows: UnsafeBufferPointer<SourceRow>, held: HeldPlaces = .none,
    emit: (_ provider: Int, _ entry: DirectoryEntry) throws -> Void
  ) rethrows -> NumberFindings {
    try state.pointee.place(number, rows, held, emit: emit)
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
