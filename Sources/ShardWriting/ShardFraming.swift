internal import CallDirectory
internal import Digests
internal import ShardFormat

/// The bytes around the sections: head, section table and trailer, as `FileFormat.md` lays them out.
enum ShardFraming {
  /// The 64 bytes at the start.
  static func head(_ options: ShardWriter.Options, profile: ShardProfile? = nil) -> [UInt8] {
    typealias Head = ShardLayout.Head
    var bytes = [UInt8](repeating: 0, count: Head.bytes)
    bytes.replaceSubrange(0..<8, with: ShardLayout.magic)
    store(ShardLayout.major, in: &bytes, at: Head.major)
    store(ShardLayout.minor, in: &bytes, at: Head.minor)
    bytes[Head.kind] = ShardLayout.kindShard
    bytes[Head.profile] = (profile ?? options.profile).rawValue
    var end = Head.dataSet
    for character in options.dataSet {
      let utf8 = Array(character.utf8)
      if end + utf8.count > Head.dataSet + Head.dataSetBytes { break }
      bytes.replaceSubrange(end..<(end + utf8.count), with: utf8)
      end += utf8.count
    }
    return bytes
  }

  /// 32 bytes a section.
  static func table(_ sections: [ShardSection]) -> [UInt8] {
    typealias Entry = ShardLayout.TableEntry
    var bytes = [UInt8](repeating: 0, count: sections.count * Entry.bytes)
    for (index, section) in sections.enumerated() {
      let entry = index * Entry.bytes
      store(section.id.rawValue, in: &bytes, at: entry + Entry.id)
      store(section.mustBeKnown ? Entry.mustKnow : 0, in: &bytes, at: entry + Entry.flags)
      store(UInt64(section.offset), in: &bytes, at: entry + Entry.offset)
      store(UInt64(section.byteCount), in: &bytes, at: entry + Entry.length)
      store(section.checksum, in: &bytes, at: entry + Entry.checksum)
    }
    return bytes
  }

  /// What is known after the last entry.
  struct Trailer {
    var rows: Int
    var numbers: Int
    var repeats: Bool
    var counts: EntryCounts
    var first: Int64
    var last: Int64
    var labelBytes: Int
    var digests: ContentDigests
    var sections: [ShardSection]
    var tableOffset: Int

    /// The 192 bytes at the end of the file.
    func bytes(head: [UInt8], table: [UInt8]) -> [UInt8] {
      typealias Trailer = ShardLayout.Trailer
      var bytes = [UInt8](repeating: 0, count: Trailer.bytes)
      let fileBytes = ShardLayout.aligned(tableOffset + table.count) + Trailer.bytes
      store(UInt64(fileBytes), in: &bytes, at: Trailer.fileBytes)
      store(UInt64(tableOffset), in: &bytes, at: Trailer.tableOffset)
      store(UInt32(sections.count), in: &bytes, at: Trailer.sectionCount)
      store(checksum(table), in: &bytes, at: Trailer.tableChecksum)
      store(repeats ? ShardLayout.flagRepeats : 0, in: &bytes, at: Trailer.flags)
      store(UInt64(rows), in: &bytes, at: Trailer.rows)
      store(UInt64(numbers), in: &bytes, at: Trailer.numbers)
      store(UInt64(counts.blocking), in: &bytes, at: Trailer.blocking)
      store(UInt64(counts.identification), in: &bytes, at: Trailer.identification)
      store(first, in: &bytes, at: Trailer.first)
      store(last, in: &bytes, at: Trailer.last)
      bytes.replaceSubrange(Trailer.blockingDigest..<(Trailer.blockingDigest + 32), with: digests.blocking.bytes)
      bytes.replaceSubrange(
        Trailer.identificationDigest..<(Trailer.identificationDigest + 32), with: digests.identification.bytes)
      store(UInt64(labelBytes), in: &bytes, at: Trailer.labelBytes)
      store(checksum(head + bytes[..<Trailer.checksum]), in: &bytes, at: Trailer.checksum)
      bytes.replaceSubrange(Trailer.endMagic..., with: ShardLayout.endMagic)
      return bytes
    }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { CRC32C.checksum(of: $0) } }

  private static func store<I: FixedWidthInteger>(_ value: I, in bytes: inout [UInt8], at offset: Int) {
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: I.self) }
  }
}
