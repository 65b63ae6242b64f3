public import CallDirectory

/// What the planner did, for people and for the release manifest.
public struct PlacementReport: Sendable {
  /// What one provider got.
  public struct Provider: Hashable, Sendable {
    /// The provider.
    public var id: ProviderID
    /// The most entries it may have.
    public var limit: Int
    /// Entries placed with it.
    public var counts = EntryCounts()
    /// How many of them it does not claim itself: they spilled from elsewhere.
    public var spilledIn = 0
    /// Entries it claims and has no room for, which the provider it spills to claims and holds too (`keep`).
    public var leftToOthers = 0
    /// Its smallest and its greatest number; nil when it has none.
    public var numbers: ClosedRange<PhoneNumber>?
  }

  /// Entries that two providers both claim.
  public struct Overlap: Hashable, Sendable {
    /// The provider that comes first in the plan.
    public var first: ProviderID
    /// The other one.
    public var second: ProviderID
    /// Entries claimed by both, per family.
    public var entries: EntryCounts

    /// An overlap of `entries`.
    public init(first: ProviderID, second: ProviderID, entries: EntryCounts) {
      self.first = first
      self.second = second
      self.entries = entries
    }
  }

  /// Where a row stands.
  public struct RowPosition: Hashable, Comparable, Sendable {
    /// Position of the file among all files read, from 0.
    public var file: Int
    /// Line in that file, from 1.
    public var line: Int

    /// By file, then line.
    public static func < (left: RowPosition, right: RowPosition) -> Bool {
      (left.file, left.line) < (right.file, right.line)
    }
  }

  /// Numbers cut out of the plan by `allow` and `remove` rows.
  public struct Cuts: Hashable, Sendable {
    /// Numbers whose block was taken away by `allow`.
    public var allowed = 0
    /// Numbers that were taken out altogether by `remove`.
    public var removed = 0
    /// Numbers named by a cutting row for which there was nothing to cut.
    public var withoutEffect = 0
    /// The first numbers without effect.
    public var withoutEffectSamples: [PhoneNumber] = []
  }

  /// A label that was dropped because there was no room for it.
  public struct DroppedLabel: Hashable, Sendable {
    /// The row that gave the label.
    public var position: RowPosition
    /// Its number.
    public var number: PhoneNumber
    /// The number's score; nil when no row has one.
    public var score: Double?
  }

  /// By provider as a phone sees them, in plan order; providers with data of their own are left out.
  public var providers: [Provider] = []
  /// By pair of providers that claim something in common, in plan order.
  public var overlaps: [Overlap] = []
  /// By source, in plan order: the occurrences of the rows the planner was given.
  public var accounts: [OccurrenceAccounts] = []
  /// What the cutting rows did.
  public var cuts = Cuts()
  /// The first identification rows that were refused because no row of their number has a label.
  public var unlabelled: [RowPosition] = []
  /// Labels dropped for want of room (`ExcessRule.dropLowestScore`); under `keep` each claimant's copy counts.
  public var dropped = 0
  /// The first of them in the order of files and lines.
  public var droppedSamples: [DroppedLabel] = []
  /// Labels of blocked numbers dropped because their claimants get none (`dropLabelsOfBlocked`).
  public var labelsOfBlocked = 0
  /// Numbers that several rows give one and the same label.
  public var repeatedLabels = 0
  /// Numbers that carry more than one label.
  public var conflictingLabels = 0
}
