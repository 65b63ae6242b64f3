internal import CallDirectory
internal import Digests
internal import DirectoryPublishing
internal import DirectoryStore
internal import PlanFile
internal import ProviderHost
internal import ShardFormat
internal import ShardPacks
internal import SystemSupport

/// Everything one load needs, resolved before any provider is started.
struct LoadJob: Sendable {
  var id: ProviderID
  var title: String
  var library: String
  var libraryDigest: SHA256Digest
  var container: String
  var options: String
  var planned: ReleaseManifest.Provider?
  /// What says which packs are installed; nil without the file, and for a provider without packs.
  var chosenPacks: [UInt8]?
  /// Digest of all that is neither library nor shard and still decides what a load gives.
  var configuration: SHA256Digest

  /// The load of `id` with its shard in `release`. Throws `ProviderLoad.NotStarted` when there is nothing to run.
  init(_ id: ProviderID, _ stored: StoredProvider?, release: ReleaseManifest?, installer: DirectoryInstaller) throws {
    let entry = installer.plan.provider(id)
    if entry == nil, stored?.isPlanned == true {
      throw ProviderLoad.NotStarted(
        error: PhoneError(.noExtensionFound),
        what: "the plan no longer names it, and what it was to be given is unknown",
        hint: "`shardctl apply` takes it off the phone")
    }
    self.id = id
    title = entry?.title ?? stored?.title ?? id.rawValue
    options = entry?.options ?? "{}"
    container = installer.containerName(of: id)
    let name = entry?.library ?? stored?.library ?? "lib\(id).so"
    guard let library = try installer.libraryPath(name) else {
      let folders = installer.libraryFolders.joined(separator: " and ")
      throw ProviderLoad.NotStarted(
        error: PhoneError(.noExtensionFound),
        what: name.utf8.contains(0x2F) ? "there is no library \(name)" : "there is no library \(name) in \(folders)",
        hint: try Self.libraryHint(installer))
    }
    self.library = library
    do {
      try ProviderLibrary.check(library)
      libraryDigest = try ProviderLibrary(library).digest()
    } catch let problem as LibraryProblem {
      throw ProviderLoad.NotStarted(
        error: PhoneError(.noExtensionFound), what: "\(library) \(problem.explanation)", hint: problem.hint)
    }
    if let stored, stored.quarantine.contains(libraryDigest) {
      throw ProviderLoad.NotStarted(
        error: PhoneError(.loadingInterrupted), what: "\(library) took its process down before and is not run again",
        hint: "replace the library, or `shardctl provider forgive \(id)`")
    }
    if entry?.isPlanned == true {
      guard let planned = release?.provider(id) else {
        throw ProviderLoad.NotStarted(
          error: PhoneError(.loadingInterrupted), what: "no release has a shard for it yet",
          hint: "run `shardctl apply`")
      }
      self.planned = planned
    }
    if planned?.packs != nil { chosenPacks = InstalledPacks.bytes(in: installer.containerPath(container)) }
    let profile = installer.plan.phone.profile
    var settings = [title, options, container, profile.name.rawValue, String(profile.memoryLimit)]
    // What a user has installed decides what is loaded; a file that is not there is another choice than an empty one.
    if let chosenPacks { settings.append(String(decoding: chosenPacks, as: UTF8.self)) }
    // A NUL stands between them, which no text of a plan can hold.
    configuration = Array(settings.joined(separator: "\0").utf8).withUnsafeBytes { SHA256.digest(of: $0) }
  }

  /// Whether `stored` was loaded from just these things, and its last load was accepted.
  func isCovered(by stored: StoredProvider) -> Bool {
    guard let receipt = stored.active?.receipt, stored.lastFailure == nil else { return false }
    return receipt.plannedShard == planned?.sha256 && receipt.library == libraryDigest
      && receipt.configuration == configuration
  }

  /// Runs the load. Blocks until the provider's process is gone.
  ///
  /// The shard is hashed first, about 1 GB a second: one that the disk damaged must not get into the phone.
  func run(_ recorder: GenerationRecorder, shard: Shard?, installer: DirectoryInstaller) -> ProviderLoad {
    if let shard, let planned, shard.fileDigest() != planned.sha256 { return notPublished(shard.path) }
    if planned?.packs != nil, let path = damagedPack(installer) { return notPublished(path) }
    let containerPath = installer.containerPath(container)
    do {
      try FileSystem.createDirectory(containerPath)
    } catch {
      return ProviderLoad(
        id: id,
        outcome: .notStarted(
          ProviderLoad.NotStarted(
            error: PhoneError(.unknown), what: "\(error)", hint: "the container must be a folder this user can write to"
          )))
    }
    let request = LoadRequest(
      providerID: id, title: title, libraryPath: Path.absolute(library), containerPath: Path.absolute(containerPath),
      shardPath: planned.map { Path.absolute(installer.releases.shardPath($0.file)) }, optionsJSON: options,
      profile: installer.plan.phone.profile, watchdogSeconds: installer.watchdogSeconds)
    var result = installer.loader.load(request, into: recorder)
    guard result.outcome.isAccepted else {
      recorder.abort()
      return ProviderLoad(id: id, outcome: .refused(result))
    }
    do {
      let staged = try recorder.finish()
      let receipt = LoadReceipt(
        counts: staged.counts, digests: staged.digests, plannedShard: planned?.sha256,
        library: result.libraryDigest ?? libraryDigest, configuration: configuration, loadedAt: Clock.unixSeconds)
      return ProviderLoad(
        id: id, outcome: .accepted(result, StoredGeneration(content: staged.content, receipt: receipt)),
        deviation: planned?.packs == nil ? deviation(staged) : packDeviation(staged, installer))
    } catch {
      recorder.abort()
      result.outcome = .hostFailed(error)
      return ProviderLoad(id: id, outcome: .refused(result))
    }
  }

  /// What is to be said when a provider delivered other entries than its shard holds; its library may mean to.
  private func deviation(_ staged: StagedGeneration) -> String? {
    guard let planned, staged.digests != planned.contentDigests else { return nil }
    return
      "the entries are not those of the planned shard (\(planned.counts.total) entries): \(library) delivers its own"
  }

  private func notPublished(_ path: String) -> ProviderLoad {
    let reason = ProviderLoad.NotStarted(
      error: PhoneError(.loadingInterrupted), what: "\(path) is not the file that was published",
      hint: "`shardctl apply` builds it again; see to the disk")
    return ProviderLoad(id: id, outcome: .notStarted(reason))
  }

  private static func libraryHint(_ installer: DirectoryInstaller) throws -> String {
    let found = try installer.libraryFolders.flatMap { try ProviderLibrary.discover(in: $0) }
    let names = Set(found.map { Path.name(of: $0.path) }).sorted().joined(separator: ", ")
    return names.isEmpty ? "copy it into \(installer.plan.paths.plugins)" : "libraries there: \(names)"
  }
}
