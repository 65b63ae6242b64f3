public import CallDirectory

/// What the planner does with one number, and why.
public struct PlacementExplanation: Sendable {
  /// A provider that claims an entry.
  public struct Claimant: Sendable {
    /// The provider.
    public var id: ProviderID
    /// The keys that hold, each with the values that made it hold; empty for a claim of the rest.
    public var keys: [String]
  }

  /// Where a copy of an entry went.
  public struct Place: Sendable {
    /// Why it is there.
    public enum Reason: String, Sendable {
      /// The first claimant had room.
      case claimant
      /// It was there in the base release and need not move.
      case kept
      /// The copy whose range has the number is full.
      case otherCopy
      /// Claimants before it are full.
      case laterClaimant
      /// The claimants are full, and it is along their `spillsTo`.
      case spill
      /// The first claimant is filled by score, and the entry's is high enough.
      case highScore
      /// Places before it are filled by score, and go to entries with higher ones.
      case lowScore
      /// `provider` is full, and its spill target claims the entry too and holds it.
      case heldByOther
    }

    /// The provider that holds it; for `heldByOther` the one that does not.
    public var provider: ProviderID
    /// Why it is there.
    public var reason: Reason
    /// Index of the row whose label it has; nil for a block.
    public var labelRow: Int?
    /// Where places are filled by score: how the entry stood; nil elsewhere.
    public var contest: Contest?
  }

  /// How an entry stands where a provider is filled by score.
  public struct Contest: Sendable {
    /// The last one before its own that it did not get into, else its own.
    public var provider: ProviderID
    /// Its score; nil when no row has one.
    public var score: Double?
    /// By which ratio the score must be higher than that of an entry that was there already; nil when none was.
    public var margin: Double?
    /// The least score of the same family that got there by score; nil when none did, when it has none, or when all had room
    /// and none was looked at.
    public var least: Double?
    /// Whether `margin` and `least` are only of entries that may go to just the same places.
    public var isAmongAlike: Bool
  }

  /// How a label stands that was dropped (`ExcessRule.dropLowestScore`).
  public struct Drop: Sendable {
    /// Its score; nil when no row has one.
    public var score: Double?
    /// Labels that may go to the same places have none with a score below this; nil when none of them has one.
    public var border: Double?
  }

  /// Why an entry is in no provider.
  public enum Absence: String, Sendable {
    /// No row asks for it.
    case notAsked
    /// No row has a label (B-133).
    case noLabel
    /// An `allow` row takes the block away.
    case allowed
    /// A `remove` row takes everything away.
    case removed
    /// No provider claims it.
    case unclaimed
    /// There was no room, and others have higher scores.
    case dropped
    /// It is the label of a blocked number, and its claimants want none.
    case ofBlocked
  }

  /// One family of the number.
  public struct Family: Sendable {
    /// Which one.
    public var family: EntryFamily
    /// Indices of the rows that ask for it.
    public var rows: [Int]
    /// Indices of the rows that cut it.
    public var cuts: [Int]
    /// Index of the row whose label the number gets; nil without one and for blocks.
    public var labelRow: Int?
    /// The rule by which that row was chosen among the rows of its source; `first` without one.
    public var labelRule: RepeatRule
    /// Who claims it, in plan order.
    public var claimants: [Claimant]
    /// Where its copies went.
    public var places: [Place]
    /// Why there is none; nil when there are.
    public var absence: Absence?
    /// How the first copy stands that was dropped by score; nil when none was.
    public var drop: Drop?
  }

  /// The number.
  public var number: PhoneNumber
  /// Blocks first, as they are placed.
  public var families: [Family]
}
