internal import CallDirectory
internal import ShardFormat
internal import ShardPacks
internal import ShardWriting
internal import SystemSupport

/// A file named on the command line: a shard, or an index of packs, which stands for all of them merged.
enum ShardArgument {
  case shard(Shard)
  case packs(PackFolder)

  /// Opens the file.
  init(_ path: String) throws {
    self = PackIndex.isIndex(path) ? .packs(try PackFolder(path)) : .shard(try Shard(path, access: .streaming))
  }

  /// The file.
  var path: String {
    switch self {
    case .shard(let shard): shard.path
    case .packs(let folder): folder.path
    }
  }

  /// Throws the first thing that is wrong with it.
  func verify() throws {
    switch self {
    case .shard(let shard): try shard.verify()
    case .packs(let folder): if let problem = folder.verify().first { throw problem }
    }
  }

  /// Blocking entries, of packs those of each pack.
  var blockingCount: Int {
    switch self {
    case .shard(let shard): shard.counts.blocking
    case .packs(let folder): folder.index.packs.reduce(0) { $0 + $1.counts.blocking }
    }
  }

  /// Writes entries as `ShardExport.write` does.
  func export(as format: ShardExport.Format, only family: EntryFamily?, to writer: FileWriter) throws {
    switch self {
    case .shard(let shard): try ShardExport.write(shard, as: format, only: family, to: writer)
    case .packs(let folder):
      let cursor = PackCursor(try folder.open(folder.index.names))
      try ShardExport.write(as: format, only: family, to: writer) { try cursor.next() }
    }
  }
}
