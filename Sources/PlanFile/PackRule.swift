/// How a provider's entries are delivered in packs, one for each area, of which a user installs some.
public struct PackRule: Hashable, Sendable {
  /// Packs that must fit a phone together.
  public enum Set: Hashable, Sendable {
    /// All there are.
    case all
    /// The packs of these names.
    case packs([String])
  }

  /// The name of the pack of rows without an area. Rows of an area of that name are in it too.
  public var withoutArea: String
  /// The sets that must fit, in plan order; the first is delivered where nobody has chosen. At least one.
  public var sets: [Set]

  /// A rule with the given fields.
  public init(withoutArea: String, sets: [Set]) {
    self.withoutArea = withoutArea
    self.sets = sets
  }

  /// The pack of rows without an area where the plan names none.
  public static let standardWithoutArea = "base"

  /// Whether the limit is one of each set alone. Where one of them is all packs, it is one of the whole provider, as without packs.
  var isLimitedBySets: Bool { !sets.contains(.all) }
}
