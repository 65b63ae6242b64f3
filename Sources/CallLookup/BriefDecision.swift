/// A decision without its trace, for many callers a second.
public struct BriefDecision: Hashable, Sendable {
  /// How the call goes.
  public var kind: CallDecision.Kind
  /// Index in the resolver's `providers` of the provider named as the blocker, or nil.
  public var blocker: Int?
  /// Index in the resolver's `providers` of the provider that gave the label, or nil when a contact did, or nobody.
  public var labeller: Int?
}
