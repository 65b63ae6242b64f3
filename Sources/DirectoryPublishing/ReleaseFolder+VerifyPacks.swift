internal import CallDirectory
internal import Digests
internal import ShardFormat
internal import ShardPacks
internal import SystemSupport

extension ReleaseFolder {
  /// Compares the index of a provider's packs, every pack and what they come to together with the manifest: digests, counts, the
  /// one label that all packs give a number, and the limit of each set.
  func verifyPacks(_ provider: ReleaseManifest.Provider) -> [ReleaseError] {
    guard let packs = provider.packs else { return [] }
    let path = shardPath(provider.file)
    guard packs.index.provider == provider.id, packs.index.limit == provider.limit else {
      return [damaged(path, "the manifest's packs of \(packs.index.provider) are not those of \(provider.id)")]
    }
    let folder: PackFolder
    do {
      let bytes = try FileSystem.read(path)
      let digest = bytes.withUnsafeBytes { SHA256.digest(of: $0) }
      guard digest == provider.sha256, bytes.count == provider.bytes else {
        return [damaged(path, "the file has the digest \(digest), the manifest says \(provider.sha256)")]
      }
      folder = try PackFolder(path)
    } catch let error as SystemError where error.isNoSuchFile {
      return [damaged(path, "the file is gone")]
    } catch {
      return [damaged(path, reason(error))]
    }
    guard folder.index == packs.index else {
      return [damaged(path, "the index of packs is not the one of the manifest")]
    }
    let damage = folder.verify().map { damaged($0.place, $0.what) }
    guard damage.isEmpty else { return damage }
    do {
      let all = try folder.summary(folder.index.names)
      if all.counts != provider.counts || all.digests != provider.contentDigests {
        return [damaged(path, "the packs together come to other entries than the manifest says")]
      }
    } catch {
      return [damaged(path, reason(error))]
    }
    return []
  }
}
