public import CallDirectory
public import ShardPlanning

/// One entry of the plan's `providers`, or one of its copies.
public struct PlanProvider: Sendable {
  /// File name of the library that streams a planned shard, for providers that name no `library`.
  public static let standardLibrary = "libShardProvider.so"

  /// What the planner needs: id, claim, limit, copies, spill chain.
  public var planned: PlannedProvider
  /// The name a person sees; the id unless stated.
  public var title: String
  /// Whether the provider starts on.
  public var isEnabled: Bool
  /// The library: a bare file name is looked for in the plugins folder and then beside `shardctl`, anything with a `/`
  /// is a path.
  public var library: String
  /// The `options` object exactly as it stands in the plan; `{}` unless stated.
  public var options: String
  /// The name of the provider's own writable folder; the id unless stated. Two providers may share one.
  public var container: String
  /// How far its entries, copies together, may differ from what they were in the base release; nil without `guard`.
  public var limits: ProviderGuard?
  /// How its entries are delivered in packs; nil for one shard.
  public var packs: PackRule?
  /// Whether areas and sources of the claim may match no row.
  public var mayBeEmpty: Bool { planned.mayBeEmpty }

  /// The provider's name.
  public var id: ProviderID { planned.id }

  /// Whether the planner fills the provider; false for one with data of its own.
  public var isPlanned: Bool { planned.claim != nil }

  /// The provider as a phone knows it: copy `number`, from 1, with an id, a title and, unless the plan states one for all,
  /// a folder of its own. The provider itself where `number` is nil.
  public func copy(_ number: Int?) -> PlanProvider {
    guard let number, planned.count != .single, let id = CopyCount.id(planned.id, copy: number) else { return self }
    var copy = self
    copy.planned.id = id
    copy.planned.count = .single
    copy.title = "\(title) \(number)"
    if container == planned.id.rawValue { copy.container = id.rawValue }
    return copy
  }
}
