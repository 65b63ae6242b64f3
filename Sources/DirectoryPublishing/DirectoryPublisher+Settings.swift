internal import CallDirectory
internal import PlanFile
internal import ShardPlanning

extension DirectoryPublisher {
  /// `preview` with the effect of a settings change. Throws a `SettingsChangeError` besides: before anything is read when
  /// the plan can tell, after the walks before the last where it depends on the number of copies.
  func preview(with change: SettingsChange) throws -> PlanReport {
    let all = plan.installedProviders { id in
      // Of an `auto` entry the copies that are asked about, to begin with.
      (change.without + change.order).compactMap { Plan.copy($0, of: id) }.max() ?? 1
    }
    _ = try comparison(change, all)
    var comparison: SettingsComparison?
    var publisher = self
    publisher.options.settings = nil
    // Held by the closure alone otherwise.
    let box = ComparisonBox()
    publisher.observers = { providers in
      let found = try self.comparison(change, providers)
      box.comparison = found
      return [found]
    }
    var report = try publisher.preview()
    comparison = box.comparison
    report.settingsEffect = comparison?.effect
    return report
  }

  private final class ComparisonBox {
    var comparison: SettingsComparison?
  }

  private func comparison(_ change: SettingsChange, _ providers: [PlanProvider]) throws -> SettingsComparison {
    let groups = providers.map { provider in
      plan.providers.first { $0.planned.count != .single && Plan.copy(provider.id, of: $0.id) != nil }?.id
        ?? provider.id
    }
    return try SettingsComparison(
      change, providers: providers.map(\.id), isOn: providers.map(\.isEnabled), isPlanned: providers.map(\.isPlanned),
      groups: groups)
  }
}
