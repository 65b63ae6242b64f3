internal import CallDirectory
internal import SystemSupport

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The phone's installed directories on disk: one folder with one small manifest, and the shard files that no published
/// release holds.
///
/// Readers take no lock and never wait: they see the last committed state, whole. One writer at a time holds the lock
/// (`beginWriting`). A handle is a value and opens nothing by itself; any thread may use it.
///
///     .shardctl/store.json        the manifest; replaced in one step by every change
///     .shardctl/lock              held by the writer, names it
///     .shardctl/generations/      shard files of the store's own
public struct DirectoryStore: Hashable, Sendable {
  /// The store's folder.
  public let folder: String
  /// The folder to which links to published shards are relative: the plan's.
  public let base: String
  /// The identity of the plan in hand, or nil to accept the store of any plan.
  public let planIdentity: String?
  /// The plan's name, for the message about a store of another plan.
  public let planName: String?
  /// Where a library named without a folder is looked for; nil leaves libraries out of a provider's state.
  public let libraryFolders: [String]?

  /// A handle on the store in `folder`, there or not.
  public init(
    folder: String, base: String, planIdentity: String? = nil, planName: String? = nil, libraryFolders: [String]? = nil
  ) {
    self.folder = folder
    self.base = base
    self.planIdentity = planIdentity
    self.planName = planName
    self.libraryFolders = libraryFolders
  }

  /// The path of the manifest.
  public var manifestPath: String { Path.join(folder, "store.json") }
  /// The path of the lock file.
  public var lockPath: String { Path.join(folder, "lock") }
  /// The folder of the store's own shard files.
  public var generationsFolder: String { Path.join(folder, "generations") }

  /// The largest manifest that is read, in bytes.
  static let maximumManifestBytes = 64 << 20

  /// The last committed state. One small file is read.
  ///
  /// - Throws: `missing`, `malformed`, `newerSchema`, `otherPlan` or `inputOutput`.
  public func read() throws(StoreError) -> StoreContents {
    guard let contents = try readIfPresent() else {
      throw StoreError(
        .missing, file: manifestPath, what: "there is no store yet", hint: "`shardctl apply` makes it")
    }
    return contents
  }

  /// The last committed state, or nil when there is no store yet; throws as `read`.
  public func readIfPresent() throws(StoreError) -> StoreContents? {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try FileSystem.read(manifestPath, limit: Self.maximumManifestBytes)
    } catch {
      if error.errno == ENOENT || error.errno == ENOTDIR { return nil }
      throw StoreError(
        .inputOutput, file: manifestPath, what: "cannot \(error.operation): \(error.reason)",
        hint: error.errno == EACCES ? "give this user the right to read the store" : nil)
    }
    let contents: StoreContents
    do throws(StoreManifest.Problem) {
      contents = try StoreManifest.decode(bytes, file: manifestPath)
    } catch {
      switch error {
      case .newerSchema(let schema):
        throw StoreError(
          .newerSchema, file: manifestPath, what: "a newer shardctl wrote this store (\(schema))",
          hint: "use that version, or remove the store's folder and apply again")
      case .malformed(let reason):
        throw StoreError(
          .malformed, file: manifestPath, what: "this is no readable store: \(reason)",
          hint: "bring the file back from a backup, or remove the store's folder and apply again")
      }
    }
    if let planIdentity, planIdentity != contents.plan.identity {
      throw StoreError(
        .otherPlan, file: manifestPath,
        what: "this store belongs to the plan \"\(contents.plan.name)\", not to \"\(planName ?? planIdentity)\"",
        hint: "give each plan a store of its own with \"paths\": { \"store\": … }")
    }
    return contents
  }

  /// Who is writing to the store at this moment, or nil. Neither waits nor disturbs a writer.
  public func lockHolder() -> LockHolder? { FileLock.holder(of: lockPath).map(LockHolder.init(line:)) }

  /// Where the entries of `generation` are, or nil when it has none.
  public func path(of generation: StoredGeneration) -> String? {
    switch generation.content {
    case .empty: nil
    case .link(let path, _): Path.join(base, path)
    case .own(let name): Path.join(generationsFolder, name)
    }
  }

  /// Whether the library of `provider` can be found; true when nobody knows where to look.
  func hasLibrary(_ provider: StoredProvider) -> Bool {
    guard let library = provider.library, let libraryFolders else { return true }
    // As for plans: a path is meant from the plan's folder, a bare name from the folders of libraries.
    let candidates =
      library.utf8.contains(0x2F) ? [Path.join(base, library)] : libraryFolders.map { Path.join($0, library) }
    return candidates.contains { (try? FileSystem.status($0))?.kind == .regular }
  }
}
