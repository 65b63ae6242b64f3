public import CallDirectory
public import DirectoryPublishing
public import DirectoryStore
internal import DirectorySources
internal import PhoneNumbering
public import PlanFile
public import ProviderHost
public import SystemSupport

/// Joins a plan's releases, its store and the provider host: everything that loads providers into the phone goes through
/// here. A handle is a value and opens nothing by itself; any thread may use it.
public struct DirectoryInstaller: Sendable {
  /// The plan, with its paths resolved.
  public let plan: Plan
  /// The phone's store.
  public let store: DirectoryStore
  /// The plan's releases.
  public let releases: ReleaseFolder
  /// Where libraries are looked for, in this order.
  public let libraryFolders: [String]

  let loader: ProviderLoader
  let watchdogSeconds: Double?

  /// An installer for `plan`.
  ///
  /// - Parameters:
  ///   - plan: A plan with its paths resolved.
  ///   - loader: Starts the host processes.
  ///   - toolFolder: The folder of the running executable, where the standard library is looked for last.
  ///   - watchdogSeconds: After how long a load is ended; nil for never (R-TIME-1).
  public init(plan: Plan, loader: ProviderLoader, toolFolder: String, watchdogSeconds: Double? = nil) {
    self.plan = plan
    self.loader = loader
    self.watchdogSeconds = watchdogSeconds
    libraryFolders = [plan.paths.plugins, toolFolder]
    releases = ReleaseFolder(plan.paths.shards)
    store = DirectoryStore(
      folder: plan.paths.store, base: plan.folder, planIdentity: plan.name, planName: plan.name,
      libraryFolders: libraryFolders)
  }

  /// Takes the locks, of the store and then of the releases, and begins a change of the store. `command` is what this
  /// process is called as. Neither lock is waited for.
  ///
  /// Throws `StoreError` (`locked` when somebody else is writing, `missing` when nothing has been applied and
  /// `mayCreate` is false) or `FileLock.Held`. A switch of release that was cut off between its two steps is completed.
  public func begin(_ command: String, mayCreate: Bool = false) throws -> InstallationSession {
    let transaction = try store.beginWriting(command: command, creating: mayCreate ? frozenPlan : nil)
    let lock = try releases.lock(holder: command)
    try settle(transaction.contents.release)
    return InstallationSession(self, transaction: transaction, releaseLock: lock)
  }

  /// Takes the lock of the releases alone, for a change that leaves the phone as it is; completes a switch as `begin`
  /// does. Throws `FileLock.Held` when somebody else is writing, and `StoreError` when there is a store that cannot be
  /// read.
  public func lockReleases(_ command: String) throws -> FileLock {
    let lock = try releases.lock(holder: command)
    try settle(store.readIfPresent()?.release)
    return lock
  }

  /// The store's commit is what makes an `apply` happen; when the release folder did not get to follow, it does now.
  /// What never came into force is forgotten.
  private func settle(_ own: Int?) throws {
    let applied = try newestInstalled(own)
    if let applied, try releases.releases().contains(applied), try releases.current()?.release ?? 0 < applied {
      try releases.makeCurrent(releases.manifest(of: applied))
    }
    try releases.forgetUnpublished(installed: applied)
  }

  /// The file of a library as a plan or the store names it: a path as it is, a bare name in the first folder that has it;
  /// nil when it is in none. Throws `SystemError` when a folder cannot be searched.
  public func libraryPath(_ name: String) throws -> String? {
    let candidates = name.utf8.contains(0x2F) ? [name] : libraryFolders.map { Path.join($0, name) }
    for path in candidates where try FileSystem.status(path) != nil { return path }
    return nil
  }

  /// The container of a provider: its own writable folder.
  public func containerPath(_ name: String) -> String { Path.join(Path.join(store.folder, "containers"), name) }

  /// The container's name of a provider: the plan's, or the id of a library that was dropped in.
  public func containerName(of id: ProviderID) -> String { plan.provider(id)?.container ?? id.rawValue }

  /// The plan's providers as a phone with `release` knows them: each entry with its copies.
  public func providers(in release: ReleaseManifest?) -> [PlanProvider] {
    plan.installedProviders { release?.copies(of: $0) }
  }

  /// What the store keeps of the plan.
  var frozenPlan: FrozenPlan {
    let profile = plan.phone.profile
    let ofProfile = PhoneProfile(profile.name).contactsOverrideBlocks
    return FrozenPlan(
      name: plan.name, identity: plan.name, title: plan.title ?? plan.name,
      country: (plan.phone.country ?? plan.country)?.rawValue, profile: profile.name,
      contactsOverrideBlocks: profile.contactsOverrideBlocks == ofProfile ? nil : profile.contactsOverrideBlocks)
  }

  /// The plan's contacts, read as a source; none when the plan names no file.
  func contacts(temporaryFolder: String) throws -> [StoredContact] {
    guard let file = plan.phone.contacts else { return [] }
    var source = SourceDescription(id: "contacts", files: [file])
    source.spelling.region = plan.phone.country ?? plan.country
    source.allowEmpty = true
    source.onBadRow = .fail
    switch Path.fileExtension(of: file).lowercased() {
    case "tsv": source.format = .tsv
    case "csv": source.format = .csv
    default: source.format = .numbers
    }
    if source.format != .numbers {
      source.hasHeader = false
      source.numbers = .number(.position(1))
      source.label = .column(.position(2))
    }
    let options = ReadingOptions(memory: 16 << 20, temporaryFolder: temporaryFolder)
    var contacts: [StoredContact] = []
    do {
      try DirectoryReader(sources: [source], options: options).read().forEachNumber { number, rows in
        let name = rows.first { !$0.label.isEmpty }.map { String(decoding: $0.label, as: UTF8.self) } ?? ""
        contacts.append(StoredContact(number: number, name: name))
      }
    } catch var error as SourceError {
      // The keys that a source has for such rows are none of the phone's.
      if error.kind == .data { error.hint = "mend or remove the contact" }
      throw error
    }
    return contacts
  }
}
