public import CallDirectory
public import ShardPlanning

/// One entry of the plan's `providers`.
public struct PlanProvider: Sendable {
  /// File name of the library that streams a planned shard, for providers that name no `library`.
  public static let standardLibrary = "libShardProvider.so"

  /// What the planner needs: id, claim, limit, spill chain.
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
  /// Whether areas and sources of the claim may match no row.
  public var mayBeEmpty: Bool { planned.mayBeEmpty }

  /// The provider's name.
  public var id: ProviderID { planned.id }

  /// Whether the planner fills the provider; false for one with data of its own.
  public var isPlanned: Bool { planned.claim != nil }
}
