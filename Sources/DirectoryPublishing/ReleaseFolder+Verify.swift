internal import CallDirectory
internal import ShardFormat
internal import ShardPacks
internal import ShardPlanning
internal import SystemSupport

extension ReleaseFolder {
  /// Compares every file of a release with what its manifest says: size, digest, structure, order, counts, first and last
  /// number, content digests and limit; and the manifest with the kept copy of it and with itself. Reads every byte twice;
  /// returns all that is wrong, nothing when all is well.
  public func verify(_ manifest: ReleaseManifest) -> [ReleaseError] {
    verifyRecord(manifest) + verifyShards(manifest)
  }

  private func verifyRecord(_ manifest: ReleaseManifest) -> [ReleaseError] {
    let path = manifestPath(manifest.release)
    let sources = manifest.views.flatMap(\.accounts.sources)
    var damage = sources.filter { !$0.occurrences.isBalanced }.map { source in
      damaged(path, "the accounts of the source \(source.id) do not add up")
    }
    do {
      if let kept = try self.manifest(at: path) {
        if kept != manifest {
          damage.append(damaged(path, "the release's manifest is not the one that is kept of it"))
        } else if let current = try self.manifest(at: currentPath), current.release == manifest.release {
          // What no reader asks for, such as sums, is compared too.
          let (bytes, copy) = (try FileSystem.read(currentPath), try FileSystem.read(path))
          if bytes != copy {
            damage.append(damaged(currentPath, "the file is not, byte for byte, what \(path) keeps of it"))
          }
        }
      } else {
        damage.append(damaged(path, "the file is gone"))
      }
    } catch {
      damage.append(damaged(path, reason(error)))
    }
    return damage
  }

  private func verifyShards(_ manifest: ReleaseManifest) -> [ReleaseError] {
    var checked: [ReleaseManifest.Provider] = []
    return manifest.views.flatMap(\.providers).flatMap { provider -> [ReleaseError] in
      // Layouts share shards.
      if checked.contains(where: { $0.hasSameShard(as: provider) }) { return [] }
      checked.append(provider)
      return provider.packs == nil ? verifyShard(provider) : verifyPacks(provider)
    }
  }

  private func verifyShard(_ provider: ReleaseManifest.Provider) -> [ReleaseError] {
    [provider].compactMap { provider in
      let path = shardPath(provider.file)
      do {
        let shard = try Shard(path, access: .streaming)
        let digest = shard.fileDigest()
        guard digest == provider.sha256 else {
          return damaged(path, "the file has the digest \(digest), the manifest says \(provider.sha256)")
        }
        try shard.verify()
        return mismatch(shard, provider).map { damaged(path, $0) }
      } catch let error as SystemError where error.isNoSuchFile {
        return damaged(path, "the file is gone")
      } catch {
        return damaged(path, reason(error))
      }
    }
  }

  /// The error's text without the path it is about: a `ReleaseError` names it already.
  func reason(_ error: any Error) -> String {
    switch error {
    case let error as ShardError: error.finding
    case let error as SystemError: error.finding
    case let error as PackError: error.what
    default: "\(error)"
    }
  }

  func damaged(_ path: String, _ what: String) -> ReleaseError {
    ReleaseError(
      kind: .damaged, path: path, what: what, hint: "build the release anew, or go back to an earlier one with rollback"
    )
  }

  private func mismatch(_ shard: Shard, _ provider: ReleaseManifest.Provider) -> String? {
    if shard.byteCount != provider.bytes {
      return "the shard has \(shard.byteCount) bytes, the manifest says \(provider.bytes)"
    }
    let found = "\(shard.counts.blocking) blocking and \(shard.counts.identification) identification entries"
    if shard.counts != provider.counts {
      return "the shard has \(found), the manifest says \(provider.counts.blocking) and "
        + "\(provider.counts.identification)"
    }
    if shard.counts.total > provider.limit { return "the shard has \(found), over the limit of \(provider.limit)" }
    if shard.firstNumber != provider.numbers?.lowerBound || shard.lastNumber != provider.numbers?.upperBound {
      return "the first and the last number are not those of the manifest"
    }
    if shard.contentDigests != provider.contentDigests {
      return "the content digests are not those of the manifest"
    }
    return nil
  }
}
