internal import PositionedJSON
public import SystemSupport

/// The folder of published releases (`paths.shards` of a plan): shard files named by content, one manifest per kept
/// release below `releases/`, and `manifest.json`, which is the current one and is replaced last.
///
/// Published shard files never change. Readers need no lock; writers hold the one of `lock(holder:)`.
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

  private func manifestPath(_ release: Int) -> String { Path.join(historyPath, "\(release).json") }

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
      name.hasSuffix(".json") ? Int(name.dropLast(5)) : nil
    }.sorted()
  }

  /// The number that the next release gets: above every number given before, so that a number means one content.
  public func nextRelease() throws -> Int { max(try current()?.release ?? 0, try releases().last ?? 0) + 1 }

  private func manifest(at path: String) throws -> ReleaseManifest? {
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
  public func record(_ manifest: ReleaseManifest) throws {
    try FileSystem.createDirectory(historyPath)
    try FileSystem.replace(manifestPath(manifest.release), with: manifest.encoded())
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

  /// Makes a recorded release the current one, in one step.
  public func makeCurrent(_ manifest: ReleaseManifest) throws {
    try FileSystem.replace(currentPath, with: manifest.encoded())
  }

  /// Removes the manifests of all but the last `count` releases, then the shard files that no kept manifest names,
  /// except those in `files`, which something else still uses. Also clears what a stopped writer left behind.
  public func clean(keeping count: Int, files: Set<String>) throws {
    let current = try current()
    var kept = Set(try releases().suffix(count))
    if let current { kept.insert(current.release) }
    for release in try releases() where !kept.contains(release) { try FileSystem.remove(manifestPath(release)) }
    var wanted = files
    for release in kept.sorted() {
      for provider in try manifest(at: manifestPath(release))?.providers ?? [] { wanted.insert(provider.file) }
    }
    for provider in current?.providers ?? [] { wanted.insert(provider.file) }
    for name in try FileSystem.names(in: path) {
      let isLeftover = name.hasPrefix(Self.stagingPrefix) || name.hasSuffix(".tmp")
      let isUnused = Path.fileExtension(of: name) == Self.shardExtension && !wanted.contains(name)
      if isLeftover || isUnused { try FileSystem.removeTree(Path.join(path, name)) }
    }
  }

  /// The extension of shard files.
  static let shardExtension = "shard"
  /// How names of folders begin in which a release is prepared.
  static let stagingPrefix = ".staging-"
}
