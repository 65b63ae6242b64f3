public import CallDirectory
internal import DirectoryStore
internal import PlanFile
internal import ShardPlanning

extension DirectoryInstaller {
  /// The providers of the plan that have copies among `ids`, in plan order.
  func groups(among ids: [ProviderID]) -> [ProviderID] {
    plan.providers.filter { $0.isPlanned && $0.planned.count != .single }.map(\.id).filter { group in
      !CopyCount.copies(of: group, among: ids).isEmpty
    }
  }

  /// What `id` stands for among `ids`: itself, or the copies of the plan's provider of that name in their order; nil when it is
  /// neither.
  public func providers(named id: ProviderID, among ids: [ProviderID]) -> [ProviderID]? {
    if ids.contains(id) { return [id] }
    return groups(among: ids).contains(id) ? CopyCount.copies(of: id, among: ids) : nil
  }

  /// `ids` for a hint, behind them the providers whose names stand for copies among them: `a, g-1, g-2; g for all its copies`.
  public func list(_ ids: [ProviderID]) -> String {
    ids.map(\.rawValue).joined(separator: ", ")
      + groups(among: ids).map { "; \($0) for all its copies" }.joined()
  }
}

extension InstallationSession {
  /// `ids` with its copies in place of a provider that has such. One that is not known stays, and is refused when it is used.
  public func expanded(_ ids: [ProviderID]) -> [ProviderID] {
    let known = contents.order.ids
    return ids.flatMap { installer.providers(named: $0, among: known) ?? [$0] }
  }
}
