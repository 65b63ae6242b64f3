internal import CallDirectory
internal import DirectoryPublishing
internal import DirectoryStore
internal import Digests
internal import ShardFormat
internal import ShardPacks
internal import SystemSupport

extension LoadJob {
  /// The first file of the provider's packs that is there and is not what was published; a pack that is not there is for the provider to
  /// tell, since an app need not have all of them. Hashes those that are delivered, about 1 GB a second.
  func damagedPack(_ installer: DirectoryInstaller) -> String? {
    guard let planned, let packs = planned.packs else { return nil }
    let index = installer.releases.shardPath(planned.file)
    // What cannot be read is the provider's to tell, too.
    guard let bytes = try? FileSystem.read(index) else { return nil }
    if bytes.withUnsafeBytes({ SHA256.digest(of: $0) }) != planned.sha256 { return index }
    let names = try? InstalledPacks(container: installer.containerPath(container), packs.index).names(packs.index)
    for pack in packs.index.packs where names?.contains(pack.name) ?? false {
      let path = installer.releases.shardPath(pack.file)
      guard let file = try? MappedFile(path, .sequential) else { continue }
      if SHA256.digest(of: file.bytes) != pack.sha256 { return path }
    }
    return nil
  }

  /// What is to be said when a provider delivered other entries than the installed packs hold.
  func packDeviation(_ staged: StagedGeneration, _ installer: DirectoryInstaller) -> String? {
    guard let planned else { return nil }
    do {
      let folder = try PackFolder(installer.releases.shardPath(planned.file))
      let names = try InstalledPacks(container: installer.containerPath(container), folder.index).names(folder.index)
      let expected = try folder.summary(names)
      guard expected.digests != staged.digests else { return nil }
      return
        "the entries are not those of the installed packs (\(expected.counts.total) entries): \(library) delivers its own"
    } catch {
      // The library went by something else than packs and choice.
      return "the installed packs cannot be compared with what \(library) delivered: \(error)"
    }
  }
}
