public import CallDirectory

/// What the planner knows of the base release: who was there, and where the groups of copies were cut.
public struct PlanningBase: Sendable {
  /// The providers of the release; `HeldPlaces` are positions in this list, of which the first `PlaceSet.capacity` count.
  public var providers: [ProviderID]
  /// By the id of a provider with copies.
  public var groups: [ProviderID: CopyGroup]

  /// A base; without one every entry is new and every group is cut.
  public init(providers: [ProviderID] = [], groups: [ProviderID: CopyGroup] = [:]) {
    self.providers = providers
    self.groups = groups
  }
}

/// The copies of one provider and which numbers are at home in which of them.
public struct CopyGroup: Hashable, Sendable {
  /// How many copies there are, 1 or more.
  public var copies: Int
  /// The first numbers of the second copy, the third and so on, ascending; copies behind the last of them have no numbers
  /// of their own and take what does not fit elsewhere.
  public var cuts: [PhoneNumber]
  /// Whether they were filled by score: then they have no ranges, and get some when they are to have them.
  public var isByScore: Bool

  /// A group of `copies`.
  public init(copies: Int, cuts: [PhoneNumber], isByScore: Bool = false) {
    self.copies = copies
    self.cuts = cuts
    self.isByScore = isByScore
  }

  /// The same cuts for another number of copies: what a cut copy had at home goes to the last that is left.
  func resized(to copies: Int) -> CopyGroup {
    CopyGroup(copies: copies, cuts: Array(cuts.prefix(max(copies - 1, 0))))
  }
}
