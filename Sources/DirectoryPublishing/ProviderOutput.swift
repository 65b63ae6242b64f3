internal import CallDirectory
internal import Digests
internal import ShardWriting

/// Where the entries of one provider go: into a shard, or, for a preview, only into the digests of its content.
enum ProviderOutput {
  case shard(ShardWriter)
  case preview(Preview)

  /// The content of a shard that is not written.
  final class Preview {
    /// Nil when there is nothing to compare it with: a range would be expanded for it.
    fileprivate let digests: (blocking: ContentDigest, identification: ContentDigest)?
    private var labelBytes = 0
    private var rows = 0
    private var runs = 0
    private let isBalanced: Bool

    init(isBalanced: Bool, takesDigests: Bool) {
      self.isBalanced = isBalanced
      digests = takesDigests ? (ContentDigest(), ContentDigest()) : nil
    }

    @inline(__always)
    func append(_ entry: DirectoryEntry) {
      rows += 1
      if entry.isBlocked { digests?.blocking.append(entry.number.rawValue) }
      if let label = entry.label {
        digests?.identification.append(entry.number.rawValue, label: label)
        labelBytes += label.count
      }
    }

    func append(_ run: EntryRun) {
      let number = run.entry.number.rawValue
      let isStoredAsOne = run.count >= ProviderOutput.leastNumbersOfRun
      if isStoredAsOne { runs += 1 } else { rows += run.count }
      if run.entry.isBlocked { digests?.blocking.append(number, count: run.count) }
      if let label = run.entry.label {
        digests?.identification.append(number, count: run.count, label: label)
        labelBytes += label.count * (isStoredAsOne ? 1 : run.count)
      }
    }

    /// About what the shard would take.
    var estimatedBytes: Int {
      runs * ProviderOutput.bytesPerRun + ProviderOutput.estimatedBytes(labelBytes, rows, isBalanced: isBalanced)
    }
  }

  /// What has been written or would be.
  struct Result {
    /// Nil for a preview that has nothing to be compared with.
    var contentDigests: ContentDigests?
    var bytes: Int
    /// The written file's summary; nil for a preview.
    var summary: ShardSummary?
    /// The packs instead.
    var packs: PackOutput.Result?
  }

  @inline(__always)
  func append(_ entry: DirectoryEntry) throws {
    switch self {
    case .shard(let writer): try writer.append(entry)
    case .preview(let preview): preview.append(entry)
    }
  }

  func append(_ run: EntryRun) throws {
    switch self {
    case .shard(let writer): try writer.append(run)
    case .preview(let preview): preview.append(run)
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
      let digests = preview.digests.map {
        ContentDigests(blocking: $0.blocking.finish(), identification: $0.identification.finish())
      }
      return Result(contentDigests: digests, bytes: preview.estimatedBytes, summary: nil)
    }
  }

  func abort() {
    if case .shard(let writer) = self { writer.abort() }
  }

  // What the `plain` profile takes beside the labels, rounded up: number, label length and flags of a row; header,
  // section table and padding of a file.
  private static let estimatedBytesPerRow = 7
  private static let leastNumbersOfRun = ShardWriter.leastNumbersOfRun
  private static let bytesPerRun = 24
  private static let estimatedOverhead = 512

  /// About what a shard takes. What labels come to in the balanced profile depends on how much they are alike.
  static func estimatedBytes(_ labelBytes: Int, _ rows: Int, isBalanced: Bool) -> Int {
    isBalanced
      ? labelBytes / 4 + rows * 3 / 2 + min(labelBytes / 8, 125_000) + 2048
      : labelBytes + rows * estimatedBytesPerRow + estimatedOverhead
  }
}
