public import CallDirectory
internal import SystemSupport

/// A release that is ready but not published: its shard files are in the release folder under their final names, its
/// manifest is not written. `record` and `makeCurrent` publish it, `discard` takes it back; the folder's lock is held in
/// between.
public struct ReleaseCandidate: Sendable {
  /// What would be published.
  public let manifest: ReleaseManifest
  /// The release that is current now.
  public let current: ReleaseManifest?
  /// Where it would be published.
  public let folder: ReleaseFolder
  /// Names of the files that were not there before.
  let newFiles: [String]

  /// Whether the current release has the same content, so that there is nothing to publish.
  public var isUnchanged: Bool { current.map(manifest.hasSameContent) ?? false }

  /// Where the shard of a provider is.
  public func shardPath(_ id: ProviderID) -> String? { manifest.provider(id).map { folder.shardPath($0.file) } }

  /// Writes the manifest among the kept ones. Nothing changes for readers of the current release.
  public func record() throws {
    // One that never became current would look, below this one, as if it had been.
    try folder.forgetUnpublished(installed: current?.release)
    try folder.record(manifest)
  }

  /// Makes the recorded release current, in one step; errors as `ReleaseFolder.makeCurrent`.
  public func makeCurrent() throws { try folder.makeCurrent(manifest) }

  /// Takes the candidate back, recorded or not: the folder's files are as they were. A file of the current release that was
  /// missing stays, since it is what its manifest says. What cannot be removed goes with the next `ReleaseFolder.clean`.
  ///
  /// Requires: it is not current, and nothing refers to its files.
  public func discard() throws {
    try folder.forget(manifest.release)
    let current = Set(current?.files ?? [])
    for file in newFiles where !current.contains(file) { try FileSystem.remove(folder.shardPath(file)) }
  }
}

extension ReleaseFolder {
  /// The content of an earlier release as a candidate under a new number; when `release` is nil, the last one with another
  /// content. Going back twice goes back twice: what was left by going back is passed over. Throws `ReleaseError` when it is not kept or one of its
  /// files is gone or damaged. Reads every byte of them twice.
  public func candidate(rollingBackTo release: Int?) throws -> ReleaseCandidate {
    let current = try current()
    guard let number = try release ?? releaseBefore(current) else {
      throw try nothingEarlier(current)
    }
    var manifest = try manifest(of: number)
    if let damage = verify(manifest).first { throw damage }
    manifest.release = try nextRelease(after: current)
    manifest.base = current?.release
    manifest.restores = manifest.restores ?? number
    return ReleaseCandidate(manifest: manifest, current: current, folder: self, newFiles: [])
  }

  /// The last kept release with another content, below the one that `current` restores when it does.
  private func releaseBefore(_ current: ReleaseManifest?) throws -> Int? {
    guard let current else { return nil }
    let below = try releases().filter { $0 < current.restores ?? current.release }
    return try below.last { try !manifest(of: $0).hasSameContent(as: current) }
  }

  /// Why there is nothing to go back to; what is kept, each restored content by the release it came from.
  private func nothingEarlier(_ current: ReleaseManifest?) throws -> ReleaseError {
    let kept = try releases().map { number in
      try manifest(of: number).restores.map { "\(number) (with the content of \($0))" } ?? "\(number)"
    }
    var what = "there is no earlier release to go back to"
    var hint = "releases kept here: \(kept.joined(separator: ", "))"
    if let current, let restored = current.restores {
      what +=
        ": release \(current.release) has the content of release \(restored), and none before that with another is kept"
      hint += "; `shardctl rollback RELEASE` goes to any of them"
    }
    return ReleaseError(kind: .missing, path: path, what: what, hint: hint)
  }
}
