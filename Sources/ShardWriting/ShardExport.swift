public import CallDirectory
public import ShardFormat
public import SystemSupport

/// Shards as files of other formats, for exchange. What is written can be read as a source of a plan again.
public enum ShardExport {
  /// How entries are written.
  public enum Format: String, CaseIterable, Sendable {
    /// `number TAB label TAB action`, no header; in labels `\t`, `\n`, `\r` and `\\` stand for the tab, both line ends and
    /// the backslash.
    case tsv
    /// The columns `number`, `label` and `action` under a header, fields quoted where they must be (RFC 4180).
    case csv
    /// An object per line with the members `number`, `label` and `action` (RFC 8259).
    case jsonl
    /// The record format of 2GIS: `uint16` length of what follows, `uint64` number, UTF-8 label, little-endian. It knows no
    /// blocks.
    case twoGIS = "2gis"
    /// A card of version 3.0 for each entry (RFC 2426). Cards know no blocks.
    case vcard

    /// Whether blocks can be written.
    public var hasBlocks: Bool { self != .twoGIS && self != .vcard }
  }

  /// An entry that its format cannot hold.
  public struct Refusal: Error, Hashable, Sendable {
    /// The number.
    public let number: PhoneNumber
    /// What is wrong with it.
    public let what: String
  }

  /// Writes the rows of `shard` as `format`, ascending: all, or those of one `family` (a number that is labelled and
  /// blocked then counts as what the family says of it).
  ///
  /// The number has no `+` in `tsv` and one in the formats of text. The action is `identify`, `block` or `both`; a blocked
  /// number without a label has an empty one. The writer is not flushed. O(entries), no allocation per row. Throws a
  /// `ShardError` when a block is damaged, a `Refusal` when the format cannot hold an entry, and the system's error when
  /// writing fails; what was written before stays.
  public static func write(
    _ shard: Shard, as format: Format, only family: EntryFamily? = nil, to writer: FileWriter
  ) throws {
    let cursor = shard.makeCursor()
    try write(as: format, only: family, to: writer) { try cursor.next() }
  }

  /// The same of all that `next` gives until it gives nil.
  public static func write(
    as format: Format, only family: EntryFamily? = nil, to writer: FileWriter, of next: () throws -> DirectoryEntry?
  ) throws {
    let entries = EntryWriter(writer)
    if format == .csv { try writer.write("number,label,action\r\n") }
    while var entry = try next() {
      switch family {
      case .identification:
        if entry.label == nil { continue }
        entry.isBlocked = false
      case .blocking:
        guard entry.isBlocked else { continue }
        entry.label = nil
      case nil: break
      }
      switch format {
      case .tsv: try entries.tsv(entry)
      case .csv: try entries.csv(entry)
      case .jsonl: try entries.jsonl(entry)
      case .twoGIS: try entries.twoGIS(entry)
      case .vcard: try entries.vcard(entry)
      }
    }
  }
}
