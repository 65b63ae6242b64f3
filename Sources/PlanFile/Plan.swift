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
  /// Further lists of providers over the same sources, in plan order.
  public var layouts: [PlanLayout]
  /// The layout whose providers these are; nil for the plan's own (see `using`).
  public internal(set) var layout: String?
  /// The store of the plan's own phone where this is a layout, whose phone is another.
  var mainStore: String?
  /// What happens to an entry that several providers claim.
  public var overlaps: OverlapRule
  /// What happens to entries that no provider claims.
  public var unclaimed: UnclaimedRule
  /// The phone that loads the providers.
  public var phone: PlanPhone
  /// The folders the plan works in.
  public var paths: PlanPaths
  /// How the shards of a release are stored.
  public var profile: ReleaseProfile
  /// How many releases stay on disk, 1 or more.
  public var keepReleases: Int

  let document: JSONDocument

  /// The most copies of a provider.
  public static let copies = 1...CopyCount.most

  /// The provider that a phone knows by this id, if there is one: an entry of the plan without copies, or a copy of one. Of an
  /// `auto` entry every copy is one, whether or not it is needed.
  public func provider(_ id: ProviderID) -> PlanProvider? {
    if let provider = providers.first(where: { $0.id == id && $0.planned.count == .single }) { return provider }
    for provider in providers where provider.planned.count != .single {
      guard let copy = Plan.copy(id, of: provider.id) else { continue }
      if case .fixed(let count) = provider.planned.count, copy > count { continue }
      return provider.copy(copy)
    }
    return nil
  }

  /// The providers that a phone knows, in plan order: each entry with its copies. `copies` tells how many an `auto` entry has;
  /// where it does not know there are none.
  public func installedProviders(copies: (ProviderID) -> Int?) -> [PlanProvider] {
    providers.flatMap { provider -> [PlanProvider] in
      let count: Int
      switch provider.planned.count {
      case .single: return [provider]
      case .fixed(let fixed): count = fixed
      case .auto: count = copies(provider.id) ?? 0
      }
      return (0..<count).map { provider.copy($0 + 1) }
    }
  }

  /// Which copy of `group` an id stands for, from 1; nil when it is none.
  package static func copy(_ id: ProviderID, of group: ProviderID) -> Int? {
    let stem = "\(group.rawValue)-"
    guard id.rawValue.hasPrefix(stem), let copy = Int(id.rawValue.dropFirst(stem.utf8.count)), copy >= 1,
      CopyCount.id(group, copy: copy) == id
    else { return nil }
    return copy
  }
}
