internal import CallDirectory
internal import Digests
internal import PositionedJSON
internal import ShardPacks
public import SystemSupport

/// The folder of published releases (`paths.shards` of a plan): shard files named by content, one manifest per kept
/// release below `releases/`, and `manifest.json`, which is the current one and is replaced last.
///
/// Published shard files never change. Readers need no lock; writers hold the one of `lock(holder:)`. A handle is a value
/// and opens nothing by itself; any thread may use it. Besides what they say, its methods throw `SystemError` when the
/// system fails, and `JSONError` when a manifest is not what this or a later version wrote.
public struct ReleaseFolder: Sendable {
  /// The folder.
  public let path: String

  /// The release folder at `path`, which need not exist yet.
  public init(_ path: String) { self.path = path }

  /// The current manifest's file.
  public var currentPath: String { Path.join(path, "manifest.json") }

  /// Where a shard of a release is.
  public func shardPath(_ file: String) -> String { Path.join(path, file) }

  private var historyPath: String { Path.join(path, "releases") }

  func manifestPath(_ release: Int) -> String { Path.join(historyPath, "\(release).json") }

  /// Takes the folder's lock, making the folder if needed. `holder` is what this process is called as.
  ///
  /// Throws `FileLock.Held` when another writer has it, and `ReleaseError` when this user may not write to the folder.
  public func lock(holder: String) throws -> FileLock {
    do {
      try FileSystem.createDirectory(path)
      return try FileLock(Path.join(path, ".lock"), holder: "\(holder) (process \(CurrentProcess.id))")
    } catch let error as SystemError where error.isRefused {
      throw ReleaseError(
        kind: .notWritable, path: error.path, what: "cannot \(error.operation): \(error.reason)",
        hint: "give this user the right to write to \(path)")
    }
  }

  /// The current release, or nil when nothing has been published.
  public func current() throws -> ReleaseManifest? { try manifest(at: currentPath) }

  /// An earlier release that is still kept. Throws `ReleaseError` when it is not.
  public func manifest(of release: Int) throws -> ReleaseManifest {
    if let manifest = try manifest(at: manifestPath(release)) { return manifest }
    let kept = try releases().map(String.init).joined(separator: ", ")
    throw ReleaseError(
      kind: .missing, path: path, what: "there is no release \(release)",
      hint: kept.isEmpty ? "nothing has been published here" : "releases kept here: \(kept)")
  }

  /// The numbers of the kept releases, ascending.
  public func releases() throws -> [Int] {
    guard try FileSystem.status(historyPath) != nil else { return [] }
    return try FileSystem.names(in: historyPath).compactMap { name in
      // Only names that a release is written under: "+1.json" and "01.json" are none.
      guard let number = name.hasSuffix(".json") ? Int(name.dropLast(5)) : nil else { return nil }
      return ReleaseManifest.releaseNumbers.contains(number) && name == "\(number).json" ? number : nil
    }.sorted()
  }

  /// The number that the release after `current` gets: above every number that is kept, so that a number means one
  /// content.
  func nextRelease(after current: ReleaseManifest?) throws -> Int {
    max(current?.release ?? 0, try releases().last ?? 0) + 1
  }

  func manifest(at path: String) throws -> ReleaseManifest? {
    guard try FileSystem.status(path) != nil else { return nil }
    let bytes = try FileSystem.read(path)
    do throws(JSONError) {
      return try ReleaseManifest(json: bytes, file: path)
    } catch {
      var error = error
      if error.hint == nil { error.hint = "bring the file back; \(historyPath) has a copy of every kept manifest" }
      throw error
    }
  }

  /// Writes the manifest of a release whose shard files are in place. The release is not current yet.
  func record(_ manifest: ReleaseManifest) throws {
    try FileSystem.createDirectory(historyPath)
    // Before the manifest, so that whoever finds it after a power cut finds its shards too.
    try FileSystem.synchronizeDirectory(path)
    try FileSystem.replace(manifestPath(manifest.release), with: manifest.verifiedBytes())
  }

  /// Forgets recorded releases that never came into force, because their writer was stopped before: those above both the
  /// current one and `installed`, the one the phone has. Requires: the folder's lock is held.
  public func forgetUnpublished(installed: Int?) throws {
    let recorded = try releases()
    guard let last = recorded.last, last > installed ?? 0 else { return }
    let newest = max(installed ?? 0, try current()?.release ?? 0)
    for release in recorded where release > newest { try forget(release) }
  }

  /// Removes the manifest of a release, if it is there; `clean` removes its files.
  func forget(_ release: Int) throws { try FileSystem.remove(manifestPath(release)) }

  /// Makes a recorded release the current one, in one step. After an error the one before is current, unless only syncing
  /// the folder failed: then the new one is and may not outlive a power cut.
  public func makeCurrent(_ manifest: ReleaseManifest) throws {
    try FileSystem.replace(currentPath, with: manifest.verifiedBytes())
  }

  /// Removes the manifests of all but the last `count` contents and of those that never became current, then the shard
  /// files that no kept manifest names, except those in `files`, which something else still uses. Also clears what a
  /// stopped writer left behind. The caller holds the lock.
  ///
  /// Requires: a release that something else has put in force already is current. After an error the current release is
  /// whole, and what is left goes with the next call.
  public func clean(keeping count: Int, files: Set<String>) throws {
    let current = try current()
    let recorded = try releases()
    // A release above the current one was recorded by a writer that did not get to its last step.
    var kept: Set<Int> = []
    if let current { kept.insert(current.release) }
    // Contents are counted: a release that brought one back takes nothing from what one can go back to.
    var contents: [ReleaseManifest] = []
    for release in recorded.reversed() where release <= current?.release ?? 0 {
      let manifest = try manifest(of: release)
      if !contents.contains(where: manifest.hasSameContent) { contents.append(manifest) }
      if contents.count > count { break }
      kept.insert(release)
    }
    var wanted = files
    for release in kept { wanted.formUnion(try manifest(at: manifestPath(release))?.files ?? []) }
    wanted.formUnion(current?.files ?? [])
    for release in recorded where !kept.contains(release) { try forget(release) }
    guard try FileSystem.status(path) != nil else { return }
    for name in try FileSystem.names(in: path) where Self.isShardName(name) && !wanted.contains(name) {
      try FileSystem.remove(Path.join(path, name))
    }
    try clearLeftovers()
  }

  /// Removes what a writer left behind that was stopped half way and never will be used. The caller holds the lock.
  func clearLeftovers() throws {
    guard try FileSystem.status(path) != nil else { return }
    let current = "\(Path.name(of: currentPath))."
    for name in try FileSystem.names(in: path)
    where name.hasPrefix(Self.stagingPrefix) || name.hasPrefix(current) && name.hasSuffix(".tmp") {
      try FileSystem.removeTree(Path.join(path, name))
    }
    guard try FileSystem.status(historyPath) != nil else { return }
    for name in try FileSystem.names(in: historyPath) where name.hasSuffix(".tmp") {
      try FileSystem.remove(Path.join(historyPath, name))
    }
  }

  /// How names of folders begin in which a release is prepared.
  static let stagingPrefix = ".staging-"

  /// The file name of a provider's shard: by its content, so that equal shards are one file.
  static func shardName(_ id: ProviderID, _ digest: SHA256Digest) -> String {
    "\(id)-\(digest.hex(digits: contentDigits)).\(shardExtension)"
  }

  /// The file name of a provider's index of packs, as `shardName`.
  static func indexName(_ id: ProviderID, _ digest: SHA256Digest) -> String {
    "\(id)-\(digest.hex(digits: contentDigits)).\(PackIndex.fileExtension)"
  }

  /// Whether `shardName` or `indexName` makes such names: the only ones that are removed from a folder a user may keep files in.
  private static func isShardName(_ name: String) -> Bool {
    guard let end = [shardExtension, PackIndex.fileExtension].first(where: { name.hasSuffix(".\($0)") }) else {
      return false
    }
    let stem = name.utf8.dropLast(end.utf8.count + 1)
    return stem.count > contentDigits + 1 && stem.dropLast(contentDigits).last == 0x2D
      && stem.suffix(contentDigits).allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
  }

  private static let shardExtension = "shard"
  private static let contentDigits = 16
}
