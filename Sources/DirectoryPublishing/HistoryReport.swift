public import ShardPlanning

/// What became of numbers, and of the plan that was run to see it.
public struct HistoryReport: Sendable {
  /// One per number that was asked for, in their order.
  public var histories: [NumberHistory]
  /// Why the plan cannot be carried out over its rows; nil when it can. No number has a place then.
  public var failure: PlanningError?
  /// Sources that differ from the base release by more than their guards allow.
  public var breaches: [GuardBreach]
}
