public import CallDirectory
public import Digests
internal import SystemSupport

/// A shard file, mapped for reading: sorted numbers with their block flags and labels.
///
/// Opening takes constant time and checks the head, the trailer, the section table and that every section lies in the
/// file. What the sections hold is checked by `verify()`; without it damaged content may give wrong answers or a
/// `ShardError` while it is iterated, never an access outside the file. Any thread may use a shard; it never changes.
public final class Shard: Sendable {
  /// How the file is going to be read; a hint to the system.
  public enum Access: Sendable {
    /// Single numbers are looked up.
    case lookup
    /// Entries are read from the first to the last.
    case streaming
  }

  /// The path it was opened by.
  public let path: String
  /// Size of the file.
  public let byteCount: Int
  /// How entries are stored.
  public let profile: ShardProfile
  /// The name of the data set it was made from; empty when its writer gave none.
  public let dataSet: String
  /// Entries per family.
  public let counts: EntryCounts
  /// How many different numbers it has.
  public let numberCount: Int
  /// Number and label pairs stored one by one: more than `numberCount` only when numbers repeat, fewer when there are
  /// runs.
  public let rowCount: Int
  /// Whether a number may have several labels, the most recent first (R-INC-5). Never in a planned shard.
  public let repeatsNumbers: Bool
  /// Bytes of all labels.
  public let labelByteCount: Int
  /// The digests its writer took of both families.
  public let contentDigests: ContentDigests
  /// The sections in the order of the file.
  public let sections: [ShardSection]

  let file: MappedFile
  let content: ShardContent
  let bounds: (first: Int64, last: Int64)

  /// The lowest number, nil when the shard is empty.
  public var firstNumber: PhoneNumber? { numberCount == 0 ? nil : PhoneNumber(bounds.first) }
  /// The highest number, nil when the shard is empty.
  public var lastNumber: PhoneNumber? { numberCount == 0 ? nil : PhoneNumber(bounds.last) }

  /// How many ranges it keeps unexpanded.
  public var runCount: Int { content.runs.count }
  /// How many numbers these ranges have.
  public var runNumberCount: Int { runCount == 0 ? 0 : max(0, numberCount - rowCount) }

  /// Opens the file at `path`. O(1), about 20 µs.
  ///
  /// Throws a `ShardError` when it is no shard, is damaged or needs a newer reader, and the system's error when it cannot be
  /// read.
  public convenience init(_ path: String, access: Access = .lookup) throws {
    try self.init(file: MappedFile(path, access == .lookup ? .random : .sequential))
  }

  init(file: MappedFile) throws {
    let header = try ShardHeader(file.bytes, path: file.path)
    self.file = file
    path = file.path
    byteCount = file.bytes.count
    profile = header.profile
    dataSet = header.dataSet
    counts = header.counts
    numberCount = header.numbers
    rowCount = header.rows
    repeatsNumbers = header.repeats
    labelByteCount = header.labelBytes
    contentDigests = header.digests
    sections = header.sections
    bounds = (header.first, header.last)
    content = try ShardContent(file.bytes, header, path: file.path)
  }

  /// The SHA-256 of the whole file. O(bytes), about 2 GB/s.
  public func fileDigest() -> SHA256Digest { SHA256.digest(of: file.bytes) }
}
