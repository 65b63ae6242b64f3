internal import CallDirectory
internal import ShardFormat
internal import ShardPacks

/// The entries of one provider of a release in ascending order: of its shard, or of all its packs.
enum ReleaseCursor {
  case shard(ShardCursor)
  case packs(PackCursor)

  /// A cursor over the shard at `path`, or over the packs whose index that is.
  init(_ path: String) throws {
    guard PackIndex.isIndex(path) else {
      self = .shard(try Shard(path, access: .streaming).makeCursor())
      return
    }
    let folder = try PackFolder(path)
    self = .packs(PackCursor(try folder.open(folder.index.names)))
  }

  /// The next numbers of which the same is said; nil behind the last.
  @inline(__always)
  func nextRun() throws -> EntryRun? {
    switch self {
    case .shard(let cursor): try cursor.nextRun()
    case .packs(let cursor): try cursor.nextRun()
    }
  }
}
