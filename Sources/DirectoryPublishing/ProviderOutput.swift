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
    let isBalanced: Bool

    init(isBalanced: Bool) { self.isBalanced = isBalanced }

    /// About what the shard would take. What labels come to in the balanced profile depends on how much they are alike.
    var estimatedBytes: Int {
      isBalanced
        ? labelBytes / 4 + rows * 3 / 2 + min(labelBytes / 8, 125_000) + 2048
        : labelBytes + rows * ProviderOutput.estimatedBytesPerRow + ProviderOutput.estimatedOverhead
    }
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

  /// Ends all outputs, the shards among them together: those of the balanced profile share what they have learnt.
  static func finish(_ outputs: [ProviderOutput?]) throws -> [Result?] {
    let writers = outputs.compactMap { output -> ShardWriter? in
      if case .shard(let writer) = output { writer } else { nil }
    }
    var summaries = try ShardWriter.finish(writers)[...]
    return outputs.map { output in output.flatMap { $0.result(&summaries) } }
  }

  /// What this output came to; a shard takes the first of the summaries that are left.
  private func result(_ summaries: inout ArraySlice<ShardSummary>) -> Result? {
    switch self {
    case .shard:
      return summaries.popFirst().map { Result(contentDigests: $0.contentDigests, bytes: $0.byteCount, summary: $0) }
    case .preview(let preview):
      let digests = ContentDigests(
        blocking: preview.blocking.finish(), identification: preview.identification.finish())
      return Result(
        contentDigests: digests,
        bytes: preview.estimatedBytes, summary: nil)
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
