package import CallDirectory
package import ShardPlanning

/// What a plan gave one provider.
package struct PlacedEntries: Equatable {
  package var blocked: [Int64]
  package var labels: [Int64: String]

  package init(blocked: [Int64] = [], labels: [Int64: String] = [:]) {
    self.blocked = blocked
    self.labels = labels
  }

  package var entries: Int { blocked.count + labels.count }
}

/// What a plan gave all providers.
package struct PlannedEntries {
  /// The providers in plan order, with their copies.
  package var providers: [ProviderID]
  package var placed: [ProviderID: PlacedEntries]
  package var groups: [ProviderID: CopyGroup]

  package init(providers: [ProviderID], placed: [ProviderID: PlacedEntries], groups: [ProviderID: CopyGroup]) {
    self.providers = providers
    self.placed = placed
    self.groups = groups
  }

  /// Who has an entry, in plan order.
  package func holders(_ number: Int64, _ family: EntryFamily) -> [ProviderID] {
    providers.filter { id in
      family == .blocking
        ? placed[id]?.blocked.contains(number) ?? false : placed[id]?.labels[number] != nil
    }
  }
}
