/// A source's `guard`: how far it may differ from what it was in the base release, and how much of it may be refused.
/// Fractions from 0; nil where the plan states none.
public struct SourceGuard: Hashable, Sendable {
  /// How many fewer occurrences may be used than in the base: 0.3 for at most 30 % fewer.
  public var shrink: Double?
  /// How many more occurrences may be used than in the base: 0.5 for at most 50 % more.
  public var growth: Double?
  /// How many of the occurrences read may be refused: 0.05 for at most 5 %. Needs no base.
  public var rejected: Double?

  /// A guard with the given limits.
  public init(shrink: Double? = nil, growth: Double? = nil, rejected: Double? = nil) {
    self.shrink = shrink
    self.growth = growth
    self.rejected = rejected
  }
}

/// A provider's `guard`: how far its number of entries may differ from what it was in the base release. Fractions from 0; nil
/// where the plan states none.
public struct ProviderGuard: Hashable, Sendable {
  /// How many fewer entries it may have than in the base.
  public var shrink: Double?
  /// How many more entries it may have than in the base.
  public var growth: Double?

  /// A guard with the given limits.
  public init(shrink: Double? = nil, growth: Double? = nil) {
    self.shrink = shrink
    self.growth = growth
  }
}
