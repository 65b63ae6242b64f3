public import CallDirectory
public import Digests
public import ShardFormat
internal import SystemSupport

/// An index of packs and the folder that it lies in, with the packs beside it.
public struct PackFolder: Sendable {
  /// The index.
  public let index: PackIndex
  /// The index's path.
  public let path: String

  /// Reads the index at `path`; opens no pack. Throws `PackError`.
  public init(_ path: String) throws(PackError) {
    index = try PackIndex(path)
    self.path = path
  }

  /// Where the file of a pack is.
  public func path(of pack: PackIndex.Pack) -> String { Path.join(Path.directory(of: path), pack.file) }

  /// Opens the packs of these names, each file once. O(1) for each.
  ///
  /// Throws `PackError`: for a name that is no pack, and for a file that is gone, is no shard or has other counts than the index says.
  public func open(_ names: [String]) throws(PackError) -> [Shard] {
    var shards: [Shard] = []
    var seen: Set<String> = []
    for name in names {
      guard let pack = index.pack(name) else {
        throw PackError(
          .wrongChoice, path, "there is no pack \"\(name)\" of \(index.provider)",
          hint: "packs: \(InstalledPacks.list(index.names))")
      }
      if seen.insert(pack.file).inserted { shards.append(try open(pack)) }
    }
    return shards
  }

  private func open(_ pack: PackIndex.Pack) throws(PackError) -> Shard {
    let file = path(of: pack)
    let shard: Shard
    do {
      shard = try Shard(file, access: .streaming)
    } catch let error as ShardError {
      throw PackError(.damaged, file, "the pack \"\(pack.name)\" is damaged: \(error.finding)", hint: error.fix)
    } catch let error as SystemError {
      throw PackError(
        .missing, file, "the pack \"\(pack.name)\" \(error.isNoSuchFile ? "is not there" : error.finding)",
        hint: "fetch the pack, or take it out of \(InstalledPacks.fileName)")
    } catch {
      throw PackError(.damaged, file, "\(error)", hint: ShardError.replaceFile)
    }
    guard shard.counts == pack.counts, shard.byteCount == pack.bytes else {
      throw PackError(
        .damaged, file,
        "the pack \"\(pack.name)\" has \(shard.counts.total) entries in \(shard.byteCount) bytes, the index says "
          + "\(pack.counts.total) in \(pack.bytes)", hint: "index and packs are not of one release: fetch them again")
    }
    return shard
  }

  /// What the packs of these names come to: entries per family, a number of several packs once, and the content digests of the
  /// stream. Reads all entries.
  ///
  /// Throws as `open` and `PackCursor.next` do.
  public func summary(_ names: [String]) throws -> (counts: EntryCounts, digests: ContentDigests) {
    let (blocking, identification) = (ContentDigest(), ContentDigest())
    let cursor = PackCursor(try open(names))
    while let run = try cursor.nextRun() {
      let number = run.entry.number.rawValue
      if run.entry.isBlocked { blocking.append(number, count: run.count) }
      if let label = run.entry.label { identification.append(number, count: run.count, label: label) }
    }
    return (
      EntryCounts(blocking: blocking.count, identification: identification.count),
      ContentDigests(blocking: blocking.finish(), identification: identification.finish())
    )
  }

  /// Throws `tooManyEntries` unless the packs of these names fit into `limit` entries together. Reads entries only where the sum
  /// of their counts does not settle it.
  public func checkLimit(_ names: [String], _ shards: [Shard], limit: Int) throws {
    guard shards.reduce(0, { $0 + $1.counts.total }) > limit else { return }
    var counts = EntryCounts()
    let cursor = PackCursor(shards)
    while let run = try cursor.nextRun() {
      if run.entry.isBlocked { counts.blocking += run.count }
      if run.entry.label != nil { counts.identification += run.count }
    }
    guard counts.total > limit else { return }
    throw PackError(
      .tooManyEntries, path,
      "the installed packs (\(InstalledPacks.list(names))) come to \(counts.total) entries (\(counts.blocking) blocking, "
        + "\(counts.identification) identification), \(counts.total - limit) over the limit of \(limit)",
      hint: "install fewer packs; sets that fit: \(setsThatFit)")
  }

  private var setsThatFit: String {
    index.sets.prefix(5).map { $0.packs.map { $0.joined(separator: " + ") } ?? "all" }.joined(separator: "; ")
  }
}
