public import DirectoryPublishing
internal import DirectoryStore
internal import PlanFile
internal import SystemSupport

/// Phones with other layouts: each has a store of its own, and all have the plan's releases.
extension DirectoryInstaller {
  /// The share of a release that is for the phone of this plan or layout. Throws a `ReleaseError` when the release was made without
  /// the layout.
  func share(of release: ReleaseManifest) throws -> ReleaseManifest {
    guard let share = release.view(of: plan.layout) else {
      throw ReleaseError(
        kind: .otherProviders, path: releases.path,
        what: "release \(release.release) was made without the layout \"\(plan.layout ?? "")\"",
        hint: "`shardctl apply` makes one with the layouts that the plan has now")
    }
    return share
  }

  /// The current release as the phone of this plan or layout sees it; nil when there is none, or none with the layout.
  public func currentShare() throws -> ReleaseManifest? { try releases.current()?.view(of: plan.layout) }

  /// The stores of the plan's other phones, as far as there are any: with its own providers, and with each layout that was ever
  /// applied.
  func otherStores() throws -> [DirectoryStore] {
    var folders = [plan.storeOfPlan]
    if try FileSystem.status(plan.layoutStores)?.kind == .directory {
      folders += try FileSystem.names(in: plan.layoutStores).map { Path.join(plan.layoutStores, $0) }
    }
    return folders.filter { $0 != store.folder }.map {
      DirectoryStore(
        folder: $0, base: plan.folder, planIdentity: plan.name, planName: plan.name, libraryFolders: libraryFolders)
    }
  }

  /// Names of the files of releases that the plan's other phones use.
  func filesOfOthers() throws -> Set<String> {
    Set(try otherStores().flatMap { try $0.readIfPresent()?.linkedFiles ?? [] }.map(Path.name))
  }

  /// Names of the files of releases that any of the plan's phones uses: whoever removes old releases keeps these.
  public func filesInUse() throws -> Set<String> {
    try filesOfOthers().union((try store.readIfPresent()?.linkedFiles ?? []).map(Path.name))
  }

  /// The newest release that one of the plan's phones has; nil when none has any. `own` is that of this phone.
  func newestInstalled(_ own: Int?) throws -> Int? {
    try otherStores().reduce(own) { newest, store in
      guard let release = try store.readIfPresent()?.release else { return newest }
      return max(newest ?? 0, release)
    }
  }
}
