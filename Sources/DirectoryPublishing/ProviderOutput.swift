internal import CallDirectory
internal import Digests
internal import ShardWriting

/// Where the entries of one provider go: into a shard, or, for a preview, only into the digests of its content.
enum ProviderOutput {
  case shard(ShardWriter)
  case preview(Preview)

  /// The content of a shard that is not written.
  final class Preview {
    let blocking = ContentDigest()
    let identification = ContentDigest()
    var labelBytes = 0
    var rows = 0
  }

  /// What has been written or would be.
  struct Result {
    var contentDigests: ContentDigests
    var bytes: Int
    /// The written file's summary; nil for a preview.
    var summary: ShardSummary?
  }

  @inline(__always)
  func append(_ entry: DirectoryEntry) throws {
    switch self {
    case .shard(let writer): try writer.append(entry)
    case .preview(let preview):
      preview.rows += 1
      if entry.isBlocked { preview.blocking.append(entry.number.rawValue) }
      if let label = entry.label {
        preview.identification.append(entry.number.rawValue, label: label)
        preview.labelBytes += label.count
      }
    }
  }

  func finish() throws -> Result {
    switch self {
    case .shard(let writer):
      let summary = try writer.finish()
      return Result(contentDigests: summary.contentDigests, bytes: summary.byteCount, summary: summary)
    case .preview(let preview):
      let digests = ContentDigests(
        blocking: preview.blocking.finish(), identification: preview.identification.finish())
      return Result(
        contentDigests: digests,
        bytes: preview.labelBytes + preview.rows * Self.estimatedBytesPerRow + Self.estimatedOverhead, summary: nil)
    }
  }

  func abort() {
    if case .shard(let writer) = self { writer.abort() }
  }

  // What the `plain` profile takes beside the labels, rounded up: number, label length and flags of a row; header,
  // section table and padding of a file.
  private static let estimatedBytesPerRow = 7
  private static let estimatedOverhead = 512
}
