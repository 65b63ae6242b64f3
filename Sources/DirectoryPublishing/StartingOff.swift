public import CallDirectory
internal import PlanFile

/// Entries that move into a provider that phones do not have yet: a newly added extension is off until its user turns it on
/// (R-WIN-4), and until then its entries take no part.
public struct StartingOff: Hashable, Sendable {
  /// What phones have before.
  public enum Origin: Hashable, Sendable {
    /// The providers of an earlier release.
    case release(Int)
    /// The providers of a layout: an app version that is updated to the plan's own.
    case layout(String)
  }

  /// What phones have before.
  public var origin: Origin
  /// The provider that starts off; of several that get an entry the first.
  public var provider: ProviderID
  /// How many entries they are that providers had before and that now only providers have that phones do not have yet.
  public var entries: EntryCounts
  /// The first of their numbers.
  public var samples: [PhoneNumber]
}
