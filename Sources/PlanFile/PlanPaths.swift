/// The plan's `paths`: the folders it works in.
public struct PlanPaths: Hashable, Sendable {
  /// Where provider libraries are dropped.
  public var plugins = "Plugins"
  /// Where releases are published.
  public var shards = "shards"
  /// What the phone holds.
  public var store = ".shardctl"

  /// The defaults of the plan.
  public init() {}
}
