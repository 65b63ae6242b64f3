public import CallDirectory
public import Digests

extension StoreTransaction {
  /// A provider as the plan names it.
  public struct PlanEntry: Hashable, Sendable {
    /// Who it is.
    public var id: ProviderID
    /// The name shown in the settings.
    public var title: String
    /// Its library as the plan names it, or nil when that is not to be looked for.
    public var library: String?
    /// Whether it starts on when it is new to the store.
    public var isEnabled: Bool

    /// An entry with the given fields.
    public init(id: ProviderID, title: String, library: String?, isEnabled: Bool = true) {
      self.id = id
      self.title = title
      self.library = library
      self.isEnabled = isEnabled
    }
  }

  /// Takes over the plan with its providers in plan order. Those new to the store start as `isEnabled` says, without
  /// data; an order set by `order` gets them at its end (R-WIN-4). A provider that only the earlier plan named goes, as an
  /// extension goes that an app's update no longer has. A library dropped in under the id of a planned provider with
  /// another library goes too: the id is the plan's.
  ///
  /// Requires: ids are different. Returns the ids that went.
  @discardableResult
  public func setPlan(_ plan: FrozenPlan, providers entries: [PlanEntry]) -> [ProviderID] {
    contents.plan = plan
    var planned: [StoredProvider] = []
    for entry in entries {
      var provider =
        contents.provider(entry.id).flatMap { $0.isPlanned || $0.library == entry.library ? $0 : nil }
        ?? StoredProvider(
          id: entry.id, title: entry.title, isPlanned: true, library: entry.library, isOn: entry.isEnabled)
      provider.title = entry.title
      provider.library = entry.library
      provider.isPlanned = true
      planned.append(provider)
    }
    let named = Set(entries.map(\.id))
    let others = contents.providers.filter { !named.contains($0.id) }
    contents.providers = planned + others.filter { !$0.isPlanned }
    let gone = others.filter(\.isPlanned).map(\.id)
    for id in gone { contents.customOrder?.remove(id) }
    for entry in entries { contents.customOrder?.append(entry.id) }
    return gone
  }

  /// Lists a library that was dropped in: off, last in the order (R-WIN-4). One that is known already stays as it is.
  public func addDroppedIn(_ id: ProviderID, title: String, library: String?) {
    guard contents.provider(id) == nil else { return }
    contents.providers.append(StoredProvider(id: id, title: title, isPlanned: false, library: library, isOn: false))
    contents.customOrder?.append(id)
  }

  /// Makes an accepted load the active generation of `id`; the one before it can be restored. `switchOn` is for the load
  /// that runs because the provider is switched on.
  public func install(_ generation: StoredGeneration, for id: ProviderID, switchOn: Bool = false) throws(StoreError) {
    try change(id) { provider in
      if provider.active != nil, provider.active?.content != generation.content {
        provider.previous = provider.active
      }
      provider.active = generation
      provider.lastFailure = nil
      if switchOn { provider.isOn = true }
    }
  }

  /// Notes a load of `id` that failed: all its entries go and its switch stays, so that it is on and empty after a reload
  /// and off-empty after a first load. What was active can be restored (R-LIFE-2). `quarantining` is the digest of a
  /// library that crashed.
  public func recordFailure(
    _ failure: StoredProvider.Failure, for id: ProviderID, quarantining library: SHA256Digest? = nil
  ) throws(StoreError) {
    try change(id) { provider in
      if let active = provider.active { provider.previous = active }
      provider.active = nil
      provider.lastFailure = failure
      if let library, !provider.quarantine.contains(library) { provider.quarantine.append(library) }
    }
  }

  /// Notes a load of `id` that failed beside the installed data, as `apply` loads: the data stays.
  public func recordRefusal(
    _ failure: StoredProvider.Failure, for id: ProviderID, quarantining library: SHA256Digest? = nil
  ) throws(StoreError) {
    try change(id) { provider in
      provider.lastFailure = failure
      if let library, !provider.quarantine.contains(library) { provider.quarantine.append(library) }
    }
  }

  /// What `switchOn` came to.
  public enum SwitchOn: Hashable, Sendable {
    /// It was on already.
    case wasOn
    /// It is on with the data it had; it was not launched (R-LIFE-3).
    case switchedOn
    /// It stays off until a full load is installed with `switchOn: true`.
    case needsLoad
  }

  /// Switches `id` on if its data is there and the profile lets that do (R-LIFE-3).
  public func switchOn(_ id: ProviderID) throws(StoreError) -> SwitchOn {
    let profile = PhoneProfile(contents.plan.profile)
    return try change(id) { provider in
      if provider.isOn { return .wasOn }
      if provider.needsLoadToSwitchOn(profile) { return .needsLoad }
      provider.isOn = true
      return .switchedOn
    }
  }

  /// Switches `id` off; its data stays (R-LIFE-3).
  public func switchOff(_ id: ProviderID) throws(StoreError) { try change(id) { $0.isOn = false } }

  /// Throws `disabled` unless `id` is on: only then can it be reloaded (R-LIFE-4).
  public func checkReloadable(_ id: ProviderID) throws(StoreError) {
    guard try provider(id).isOn else {
      throw StoreError(
        .disabled, file: store.manifestPath, what: "\(id) is off and cannot be reloaded",
        hint: "`shardctl enable \(id)` switches it on")
    }
  }

  /// Exchanges the active generation of `id` with the previous one; its switch stays.
  public func restore(_ id: ProviderID) throws(StoreError) {
    guard let previous = try provider(id).previous else {
      throw StoreError(
        .noPrevious, file: store.manifestPath, what: "\(id) has no earlier load to go back to",
        hint: "`shardctl reload \(id)` loads it again")
    }
    try change(id) { provider in
      provider.previous = provider.active
      provider.active = previous
    }
  }

  /// Removes `id` with all it has stored. One that the plan names comes back with the next `apply`.
  public func forget(_ id: ProviderID) throws(StoreError) {
    _ = try provider(id)
    contents.providers.removeAll { $0.id == id }
    contents.customOrder?.remove(id)
  }

  /// Lets libraries of `id` that crashed be started again.
  public func forgive(_ id: ProviderID) throws(StoreError) { try change(id) { $0.quarantine = [] } }

  /// Notes the release in force.
  public func setRelease(_ release: Int?) { contents.release = release }

  /// The provider `id`; throws `unknownProvider`, which names those that exist.
  public func provider(_ id: ProviderID) throws(StoreError) -> StoredProvider {
    guard let provider = contents.provider(id) else { throw unknown(id) }
    return provider
  }

  func unknown(_ id: ProviderID) -> StoreError {
    let known =
      contents.order.ids.map(\.rawValue).joined(separator: ", ") + groups.map { "; \($0) for all its copies" }.joined()
    return StoreError(
      .unknownProvider, file: store.manifestPath, what: "there is no provider \"\(id)\" in the store",
      hint: known.isEmpty ? "the store has no providers yet" : "providers: \(known)")
  }

  private func change<Result>(
    _ id: ProviderID, _ body: (inout StoredProvider) -> Result
  ) throws(StoreError) -> Result {
    guard let index = contents.providers.firstIndex(where: { $0.id == id }) else { throw unknown(id) }
    return body(&contents.providers[index])
  }
}
