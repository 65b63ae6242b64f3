public import CallDirectory
internal import Digests
internal import Dispatch
public import DirectoryPublishing
public import DirectoryStore
internal import PlanFile
internal import ProviderHost
internal import ShardFormat
internal import Synchronization
internal import SystemSupport

/// One change of the phone: holds the locks of store and releases from `DirectoryInstaller.begin` until it goes.
///
/// Used by one thread, for one change. A method that throws has changed nothing, unless it was the last step of a commit
/// that failed (`StoreTransaction.commit`) or the release folder that did not follow one: the change is in force then, and
/// the next `DirectoryInstaller.begin` completes it.
public final class InstallationSession {
  /// The store's contents as they will be.
  public var contents: StoreContents { transaction.contents }

  let installer: DirectoryInstaller
  private let transaction: StoreTransaction
  private let releaseLock: FileLock

  init(_ installer: DirectoryInstaller, transaction: StoreTransaction, releaseLock: FileLock) {
    self.installer = installer
    self.transaction = transaction
    self.releaseLock = releaseLock
    transaction.groups = installer.groups(among: transaction.contents.order.ids)
  }

  // MARK: Releases

  /// What `apply` came to.
  public struct Application: Sendable {
    /// The release in force now.
    public var release: Int
    /// Whether anything changed: the release, a provider's data, or what the store keeps of the plan.
    public var isSwitched: Bool
    /// The loads that were run, in plan order.
    public var loads: [ProviderLoad]
    /// Providers that only an earlier plan named and that went with their data.
    public var removed: [ProviderID]
  }

  /// Loads a candidate into every on provider that it changes, beside the installed data, and switches release and store
  /// in one commit when all were accepted. When one is refused nothing changes and the candidate is discarded, unless
  /// `keepGoing`: then the accepted ones are switched and the others keep what they have.
  ///
  /// Throws `ReleaseError` when the candidate was made for other providers than the plan has, `StoreError`, `SourceError`
  /// for the contacts, `ShardError` for a shard of the release that is damaged, and
  /// `SystemError`. Memory: a constant per provider, and the contacts.
  public func apply(_ candidate: ReleaseCandidate, keepGoing: Bool = false) throws -> Application {
    let release = candidate.isUnchanged ? candidate.current ?? candidate.manifest : candidate.manifest
    let before = transaction.contents
    var application: Application
    do {
      application = try prepare(installer.share(of: release), keepGoing: keepGoing)
      application.isSwitched = application.isSwitched && (!candidate.isUnchanged || transaction.contents != before)
      if application.isSwitched, !candidate.isUnchanged { try candidate.record() }
    } catch {
      // The error is what matters; files that stay behind go with the next change.
      try? candidate.discard()
      throw error
    }
    guard application.isSwitched else {
      // The refusal is what matters; a file that cannot be removed goes with the next change.
      try? candidate.discard()
      if application.loads.allSatisfy(\.isAccepted) { try? clean() }
      return application
    }
    do {
      try transaction.commit()
    } catch {
      if !mayBeInForce(release) { try? candidate.discard() }
      throw error
    }
    // From here on the store refers to the candidate's files: they stay, whatever fails.
    if !candidate.isUnchanged { try candidate.makeCurrent() }
    // The switch is in force: a file that cannot be removed now is no failure of it, and the next change tries again.
    try? clean()
    return application
  }

  /// Whether the store refers to the files of `release`: a commit can fail after its switch.
  private func mayBeInForce(_ release: ReleaseManifest) -> Bool {
    do {
      return try installer.store.readIfPresent()?.release == release.release
    } catch {
      return true
    }
  }

  /// Loads what `release` changes and writes it into the transaction; `isSwitched` is false when one load was refused that
  /// stops the switch.
  private func prepare(_ release: ReleaseManifest, keepGoing: Bool) throws -> Application {
    try checkProviders(release)
    let installed = transaction.contents.release ?? 0
    let removed = takeOverPlan(release)
    try transaction.setContacts(installer.contacts(temporaryFolder: Machine.temporaryFolder))
    let ids = try transaction.contents.providers.filter { try $0.isOn && !isUninstalled($0) }.map(\.id)
    let loads = try load(ids, release: release) { try self.isNeeded($0, $1) }
    if !keepGoing, loads.contains(where: { !$0.isAccepted }) {
      return Application(release: installed, isSwitched: false, loads: loads, removed: [])
    }
    let now = Clock.unixSeconds
    for load in loads {
      if case .accepted(_, let generation) = load.outcome { try transaction.install(generation, for: load.id) }
      if let failure = load.failure(at: now) {
        try transaction.recordRefusal(failure, for: load.id, quarantining: quarantine(load))
      }
    }
    transaction.setRelease(release.release)
    return Application(release: release.release, isSwitched: true, loads: loads, removed: removed)
  }

  /// Whether a library that was dropped in has been taken out again: as on a phone whose app is gone, nobody loads it, and
  /// it stops nobody else's switch.
  private func isUninstalled(_ provider: StoredProvider) throws -> Bool {
    guard !provider.isPlanned, let library = provider.library else { return false }
    return try installer.libraryPath(library) == nil
  }

  /// Throws when `release` was made for other providers than the plan has now, as an earlier one may be: entries that were
  /// planned for a provider that is gone would be lost without a word.
  private func checkProviders(_ release: ReleaseManifest) throws {
    let planned = Set(installer.providers(in: release).filter(\.isPlanned).map(\.id))
    let released = Set(release.providers.map(\.id))
    guard planned != released else { return }
    let parts = [("lacks", planned.subtracting(released)), ("has", released.subtracting(planned))]
      .filter { !$0.1.isEmpty }
      .map { verb, ids in "\(verb) \(ids.sorted().map(\.rawValue).joined(separator: ", "))" }
    throw ReleaseError(
      kind: .otherProviders, path: installer.releases.path,
      what: "the release was made for other providers than the plan has: it \(parts.joined(separator: " and "))",
      hint: "go back to the plan of that release, or build a new one with `shardctl apply`")
  }

  /// Whether a provider has to be loaded to have what `job` would give it: it was loaded from other things, the last load
  /// failed, or its entries are not where such a load keeps them.
  private func isNeeded(_ job: LoadJob, _ stored: StoredProvider) throws -> Bool {
    guard let active = stored.active, job.isCovered(by: stored) else { return true }
    if case .link(let path, _) = active.content, path != job.planned.map({ relative(shardPath($0)) }) { return true }
    guard let file = installer.store.path(of: active) else { return false }
    return try FileSystem.status(file) == nil
  }

  private func takeOverPlan(_ release: ReleaseManifest) -> [ProviderID] {
    transaction.setPlan(
      installer.frozenPlan,
      providers: installer.providers(in: release).map {
        StoreTransaction.PlanEntry(
          id: $0.id, title: $0.title, library: $0.library.utf8.contains(0x2F) ? relative($0.library) : $0.library,
          isEnabled: $0.isEnabled)
      })
  }

  private func clean() throws {
    let used = Set(transaction.contents.linkedFiles.map(Path.name))
    try installer.releases.clean(keeping: installer.plan.keepReleases, files: used.union(installer.filesOfOthers()))
  }

  // MARK: Single providers
  //
  // The id of a provider with copies stands for all of them, in their order.

  /// The phone's own reload of providers that are on: one that fails is on and empty afterwards and the others are
  /// untouched (R-LIFE-2); one whose library is not run keeps what it has. Throws when one is unknown or off (R-LIFE-4);
  /// nothing is loaded then.
  public func reload(_ ids: [ProviderID]) throws -> [ProviderLoad] {
    let ids = expanded(ids)
    for id in ids { try transaction.checkReloadable(id) }
    let loads = try load(once(ids), release: installer.currentShare()) { _, _ in true }
    try settle(loads, switchOn: false)
    try transaction.commit()
    return loads
  }

  /// Switches providers on, loading those that need it: all without data, and under a strict profile every one
  /// (R-LIFE-3). One that fails is off and empty afterwards (R-LIFE-2). Throws when one is unknown; nothing is loaded then.
  public func enable(_ ids: [ProviderID]) throws -> [ProviderLoad] {
    var loading: [ProviderID] = []
    let known = Set(transaction.contents.providers.map(\.id))
    for id in once(expanded(ids)) {
      try addDroppedIn(id)
      if case .needsLoad = try transaction.switchOn(id) { loading.append(id) }
    }
    let loads = try load(loading, release: installer.currentShare()) { _, _ in true }
    try settle(loads, switchOn: true)
    // A file in the folder that could not even be run has not become a provider.
    for load in loads where load.result == nil && !known.contains(load.id) { try transaction.forget(load.id) }
    try transaction.commit()
    return loads
  }

  /// Removes a provider with all it has stored. One that the plan names comes back with the next `apply`.
  public func forget(_ id: ProviderID) throws {
    for id in expanded([id]) { try transaction.forget(id) }
    try transaction.commit()
  }

  /// Switches providers off; their data stays (R-LIFE-3).
  public func disable(_ ids: [ProviderID]) throws {
    for id in expanded(ids) { try transaction.switchOff(id) }
    try transaction.commit()
  }

  /// Lists `ids` first in the settings, the others after them as they were.
  public func order(_ ids: [ProviderID]) throws {
    let ids = expanded(ids)
    for id in ids { try addDroppedIn(id) }
    try transaction.order(ids)
    try transaction.commit()
  }

  /// Lets the plan's order stand again.
  public func resetOrder() throws {
    transaction.resetOrder()
    try transaction.commit()
  }

  /// Exchanges what a provider has with what it had before its last load.
  public func restore(_ id: ProviderID) throws {
    for id in expanded([id]) { try transaction.restore(id) }
    try transaction.commit()
  }

  /// Lets a library that took its process down be run again.
  public func forgive(_ id: ProviderID) throws {
    for id in expanded([id]) { try transaction.forgive(id) }
    try transaction.commit()
  }

  /// Makes a library of the plugins folder known to the store, off and last in the order (R-WIN-4).
  private func addDroppedIn(_ id: ProviderID) throws {
    guard transaction.contents.provider(id) == nil else { return }
    let libraries = try ProviderLibrary.discover(in: installer.plan.paths.plugins)
    guard let library = libraries.first(where: { $0.providerID == id }) else { return }
    transaction.addDroppedIn(id, title: id.rawValue, library: Path.name(of: library.path))
  }

  private func settle(_ loads: [ProviderLoad], switchOn: Bool) throws {
    let now = Clock.unixSeconds
    for load in loads {
      if case .accepted(_, let generation) = load.outcome {
        try transaction.install(generation, for: load.id, switchOn: switchOn)
      } else if let failure = load.failure(at: now) {
        // No load failed where no library ran, so R-LIFE-2 takes nothing away.
        if load.result == nil {
          try transaction.recordRefusal(failure, for: load.id)
        } else {
          try transaction.recordFailure(failure, for: load.id, quarantining: quarantine(load))
        }
      }
    }
  }

  /// Each id where it comes first: two loads of one provider at once would be in each other's way.
  private func once(_ ids: [ProviderID]) -> [ProviderID] {
    var seen: Set<ProviderID> = []
    return ids.filter { seen.insert($0).inserted }
  }

  private func quarantine(_ load: ProviderLoad) -> SHA256Digest? {
    guard let result = load.result, result.outcome.isQuarantined else { return nil }
    return result.libraryDigest
  }

  // MARK: Loading

  /// Runs the loads of those of `ids` for which `isWanted` holds, side by side, each into a generation of its own.
  private func load(
    _ ids: [ProviderID], release: ReleaseManifest?, where isWanted: (LoadJob, StoredProvider) throws -> Bool
  ) throws -> [ProviderLoad] {
    var loads: [(ProviderLoad?, (LoadJob, GenerationRecorder, Shard?)?)] = []
    for id in ids {
      let stored = try transaction.provider(id)
      do {
        let job = try LoadJob(id, stored, release: release, installer: installer)
        if try isWanted(job, stored) {
          let planned = try plannedShard(job)
          loads.append((nil, (job, transaction.makeRecorder(for: id, planned: planned), planned?.shard)))
        }
      } catch let reason as ProviderLoad.NotStarted {
        loads.append((ProviderLoad(id: id, outcome: .notStarted(reason)), nil))
      }
    }
    try transaction.announceLoading(loads.compactMap { $0.1?.0.id })
    let jobs = loads.map(\.1)
    let finished = Mutex<[Int: ProviderLoad]>([:])
    DispatchQueue.concurrentPerform(iterations: jobs.count) { [installer] index in
      guard let (job, recorder, shard) = jobs[index] else { return }
      let load = job.run(recorder, shard: shard, installer: installer)
      finished.withLock { $0[index] = load }
    }
    let results = finished.withLock { $0 }
    return loads.enumerated().compactMap { index, load in load.0 ?? results[index] }
  }

  private func plannedShard(_ job: LoadJob) throws -> PlannedShard? {
    // What of packs is delivered is no file of the release: the store keeps it itself.
    try job.planned.flatMap { provider in
      if provider.packs != nil { return nil }
      let path = shardPath(provider)
      return PlannedShard(
        shard: try Shard(path, access: .streaming), path: relative(path), digest: provider.sha256)
    }
  }

  private func shardPath(_ provider: ReleaseManifest.Provider) -> String {
    installer.releases.shardPath(provider.file)
  }

  /// The path as the store keeps it: relative to the plan's folder where it lies below it, so that both can be moved.
  private func relative(_ path: String) -> String {
    let base = installer.store.base
    if base == "." || base.isEmpty { return path }
    return Path.relative(path, to: base) ?? Path.absolute(path)
  }
}
