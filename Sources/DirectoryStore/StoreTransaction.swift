public import CallDirectory
internal import SystemSupport

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// One change of a store: holds the lock, keeps a working copy of the contents, and puts it in force with `commit()`.
///
/// Nothing that is done here shows on the disk's manifest before the commit, and a crash at any instruction leaves the
/// old or the new state. Shard files that were staged and are not in use afterwards are removed by the next writer at the
/// latest. Dropping a transaction without a commit releases the lock and changes nothing.
///
/// One thread at a time; the recorders it makes are independent of it and of each other.
public final class StoreTransaction {
  /// The store that is being changed.
  public let store: DirectoryStore
  /// The contents as they will be after the commit.
  public internal(set) var contents: StoreContents

  /// Held until the change is over and the last recorder has finished, so that no file is written outside the lock.
  private(set) var lock: FileLock?
  private var holder: LockHolder
  private let committedAtStart: StoreContents?
  private var stagedFiles = 0
  private var phase = Phase.open
  /// Names that stand for copies among the providers, to be listed where one is not known.
  public var groups: [ProviderID] = []

  private enum Phase {
    case open, committed, uncertain
  }

  init(_ store: DirectoryStore, command: String, creating plan: FrozenPlan?) throws(StoreError) {
    self.store = store
    holder = LockHolder(pid: Int(getpid()), since: Clock.unixSeconds, command: command)
    lock = try Self.lock(store, holder, mayCreate: plan != nil)
    let present = try store.readIfPresent()
    guard let contents = present ?? plan.map(StoreContents.init(plan:)) else {
      throw StoreError(
        .missing, file: store.manifestPath, what: "there is no store yet", hint: "`shardctl apply` makes it")
    }
    committedAtStart = present
    self.contents = contents
    try store.wrapping {
      try FileSystem.createDirectory(store.generationsFolder)
      try removeLeftovers(keeping: present?.ownFiles ?? [])
    }
  }

  deinit {
    // After an uncertain commit the files may be in use: the next writer knows.
    if case .open = phase { try? removeLeftovers(keeping: committedAtStart?.ownFiles ?? []) }
  }

  /// Tells readers and other writers which providers are being loaded (R-LIFE-1, R-LIFE-4).
  public func announceLoading(_ ids: [ProviderID]) throws(StoreError) {
    holder.loading = ids
    let line = holder.line
    try store.wrapping { try lock?.rename(holder: line) }
  }

  /// Puts the contents in force in one step, after what they refer to is on the disk.
  ///
  /// After an error the old state is in force, unless only the last step failed – syncing the store's folder –, where the
  /// new one is and may not outlive a power cut. The transaction is over either way and the lock
  /// released.
  public func commit() throws(StoreError) {
    guard case .open = phase else {
      throw StoreError(.inputOutput, file: store.manifestPath, what: "this change is over already")
    }
    phase = .uncertain
    defer { lock = nil }
    let used = contents.ownFiles
    let added = used.subtracting(committedAtStart?.ownFiles ?? [])
    contents.serial += 1
    let manifest = StoreManifest.encode(contents)
    try store.wrapping {
      for name in added.sorted() {
        try OpenFile(Path.join(store.generationsFolder, name), .read).synchronize()
      }
      if !added.isEmpty { try FileSystem.synchronizeDirectory(store.generationsFolder) }
      try FileSystem.replace(store.manifestPath, with: manifest)
      if committedAtStart == nil { try FileSystem.synchronizeDirectory(Path.directory(of: store.folder)) }
    }
    phase = .committed
    // The change is in force: a file that cannot be removed now is no failure of it, and the next writer tries again.
    try? removeLeftovers(keeping: used)
  }

  /// A path for a new shard file of the store: `id`, the number of the coming commit and a counter.
  func stageFile(for id: String) -> (name: String, path: String) {
    stagedFiles += 1
    let name = "\(id)-\(contents.serial + 1)-\(stagedFiles).shard"
    return (name, Path.join(store.generationsFolder, name))
  }

  /// Removes what crashed writers and finished changes left: temporary manifests and shard files not in `used`.
  private func removeLeftovers(keeping used: Set<String>) throws(SystemError) {
    for name in try FileSystem.names(in: store.generationsFolder) where !used.contains(name) {
      try FileSystem.remove(Path.join(store.generationsFolder, name))
    }
    let manifest = Path.name(of: store.manifestPath)
    for name in try FileSystem.names(in: store.folder) where name.hasPrefix("\(manifest).") && name.hasSuffix(".tmp") {
      try FileSystem.remove(Path.join(store.folder, name))
    }
  }

  private static func lock(
    _ store: DirectoryStore, _ holder: LockHolder, mayCreate: Bool
  ) throws(StoreError) -> FileLock {
    do {
      if mayCreate { try FileSystem.createDirectory(store.folder) }
      return try FileLock(store.lockPath, holder: holder.line)
    } catch let held as FileLock.Held {
      let other = LockHolder(line: held.holder)
      throw StoreError(
        .locked, file: store.folder, what: "the store is being written by \(other)",
        hint: "wait until it has finished and try again", holder: other)
    } catch let error as SystemError {
      if !mayCreate, error.errno == ENOENT || error.errno == ENOTDIR {
        throw StoreError(
          .missing, file: store.manifestPath, what: "there is no store yet", hint: "`shardctl apply` makes it")
      }
      throw StoreError(error, store: store)
    } catch {
      throw StoreError(.inputOutput, file: store.lockPath, what: "\(error)")
    }
  }
}

extension DirectoryStore {
  /// Takes the lock and begins a change.
  ///
  /// - Parameters:
  ///   - command: What this process is called as, for the message another writer gets.
  ///   - plan: Makes an empty store of this plan when there is none; nil throws `missing` then.
  /// - Throws: What `read` throws; `locked` with the holder; `notWritable` or `inputOutput`.
  public func beginWriting(command: String, creating plan: FrozenPlan? = nil) throws(StoreError) -> StoreTransaction {
    try StoreTransaction(self, command: command, creating: plan)
  }

  /// Runs `body` with its system errors told in the store's terms.
  func wrapping<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
    do {
      return try body()
    } catch let error as SystemError {
      throw StoreError(error, store: self)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.inputOutput, file: folder, what: "\(error)")
    }
  }
}

extension StoreError {
  /// A failed system call on a file of the store.
  init(_ error: SystemError, store: DirectoryStore) {
    let refused = [EACCES, EPERM, EROFS].contains(error.errno)
    let full = [ENOSPC, EDQUOT].contains(error.errno)
    let file = error.path.isEmpty ? store.folder : error.path
    self.init(
      refused ? .notWritable : .inputOutput, file: file, what: error.finding,
      hint: refused
        ? "give this user the right to write to \(store.folder); look-ups go on without it"
        : full ? "make room on the disk; the last good state stays in force" : "the last good state stays in force")
  }
}
