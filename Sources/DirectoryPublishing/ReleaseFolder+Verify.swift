internal import CallDirectory
internal import ShardFormat
internal import SystemSupport

extension ReleaseFolder {
  /// Compares every file of a release with what its manifest says: digest, structure, order, counts, first and last
  /// number, content digests and limit. Reads every byte twice; returns all that is wrong, nothing when all is well.
  public func verify(_ manifest: ReleaseManifest) -> [ReleaseError] {
    manifest.providers.compactMap { provider in
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
        // The error begins with the path, which stands before it anyway.
        let text = "\(error)"
        return damaged(path, text.hasPrefix("\(path): ") ? String(text.dropFirst(path.count + 2)) : text)
      }
    }
  }

  private func damaged(_ path: String, _ what: String) -> ReleaseError {
    ReleaseError(
      kind: .damaged, path: path, what: what, hint: "build the release anew, or go back to an earlier one with rollback"
    )
  }

  private func mismatch(_ shard: Shard, _ provider: ReleaseManifest.Provider) -> String? {
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
