public import CallDirectory
public import DirectorySources
public import PhoneNumbering
internal import PositionedJSON
public import ShardPlanning

/// A plan file, decoded and checked: which files hold the rows, how they are split over providers, and the phone that
/// is to take them.
///
/// Paths are as written in the file until ``resolvingPaths(against:)`` is called. A value of this type has passed every
/// check that needs nothing but the file itself.
public struct Plan: Sendable {
  /// The newest `schema` this version reads.
  public static let schema = 1

  /// The file, as the caller named it; nil when the text came from elsewhere.
  public let file: String?
  /// The file's bytes, from which the plan's digest is taken.
  public let bytes: [UInt8]
  /// What stores and releases know the plan by.
  public var name: String
  /// The app's name on the call screen (R-WIN-6); nil where the plan states none and `name` stands for it.
  public var title: String?
  /// The country whose national numbers sources hold unless they say otherwise.
  public var country: RegionCode?
  /// The sources in plan order, each with a format and with the plan's country where it names none.
  public var sources: [SourceDescription]
  /// How far sources may differ from the base release, by source id; sources without `guard` have none.
  public var guards: [String: SourceGuard]
  /// The providers in plan order, which is the settings order until the store says otherwise.
  public var providers: [PlanProvider]
  /// What happens to an entry that several providers claim.
  public var overlaps: OverlapRule
  /// What happens to entries that no provider claims.
  public var unclaimed: UnclaimedRule
  /// The phone that loads the providers.
  public var phone: PlanPhone
  /// The folders the plan works in.
  public var paths: PlanPaths
  /// How many releases stay on disk, 1 or more.
  public var keepReleases: Int

  let document: JSONDocument

  /// The provider with this id, if there is one.
  public func provider(_ id: ProviderID) -> PlanProvider? { providers.first { $0.id == id } }
}
