internal import CallDirectory
internal import Digests

/// Head, trailer and section table of a shard, read and checked: after `init` every section lies in the file.
struct ShardHeader {
  var profile: ShardProfile
  var dataSet: String
  var counts: EntryCounts
  var rows: Int
  var numbers: Int
  var labelBytes: Int
  var repeats: Bool
  var first: Int64
  var last: Int64
  var digests: ContentDigests
  var sections: [ShardSection]
  var tableOffset: Int

  /// O(1): the section table is bounded.
  init(_ bytes: UnsafeRawBufferPointer, path: String) throws(ShardError) {
    typealias Head = ShardLayout.Head
    typealias Trailer = ShardLayout.Trailer
    let at = try Self.checkFrame(bytes, path: path)

    func fail(_ what: String, _ field: Int, _ expectation: String, _ found: some Any) -> ShardError {
      ShardError(
        .malformed, path: path, what: what, offset: field, expectation: expectation, found: "\(found)",
        fix: ShardError.replaceFile)
    }
    func count(_ field: Int, _ what: String) throws(ShardError) -> Int {
      let value = bytes.little(at + field, as: UInt64.self)
      guard let count = Int(exactly: value) else { throw fail(what, at + field, "at most \(Int.max)", value) }
      return count
    }

    let profileByte = bytes[Head.profile]
    guard let profile = ShardProfile(rawValue: profileByte) else {
      throw ShardError(
        .unsupported, path: path, what: "profile", offset: Head.profile, expectation: "1 (plain) or 2 (balanced)",
        found: "\(profileByte)", fix: "use a newer version to read it")
    }
    self.profile = profile
    let name = bytes[Head.dataSet..<(Head.dataSet + Head.dataSetBytes)].prefix { $0 != 0 }
    dataSet = String(decoding: name, as: UTF8.self)

    let flags = bytes.little(at + Trailer.flags, as: UInt32.self)
    let unknown = flags & ShardLayout.incompatibleFlags & ~ShardLayout.flagRepeats
    guard unknown == 0 else {
      throw ShardError(
        .unsupported, path: path, what: "flags", offset: at + Trailer.flags, expectation: "known flags",
        found: "0x\(String(unknown, radix: 16))", fix: "use a newer version to read it")
    }
    repeats = flags & ShardLayout.flagRepeats != 0
    rows = try count(Trailer.rows, "row count")
    numbers = try count(Trailer.numbers, "count of numbers")
    counts = EntryCounts(
      blocking: try count(Trailer.blocking, "count of blocking entries"),
      identification: try count(Trailer.identification, "count of identification entries"))
    labelBytes = try count(Trailer.labelBytes, "sum of label lengths")
    first = bytes.little(at + Trailer.first)
    last = bytes.little(at + Trailer.last)
    guard numbers == 0 || (first >= 1 && last >= first) else {
      throw fail("first and last number", at + Trailer.first, "1 ≤ first ≤ last", "\(first) and \(last)")
    }
    func digest(_ field: Int) -> SHA256Digest? {
      SHA256Digest(bytes: UnsafeRawBufferPointer(rebasing: bytes[(at + field)..<(at + field + SHA256Digest.byteCount)]))
    }
    guard let blocking = digest(Trailer.blockingDigest), let identification = digest(Trailer.identificationDigest)
    else { throw fail("content digests", at + Trailer.blockingDigest, "two digests of 32 bytes", "none") }
    digests = ContentDigests(blocking: blocking, identification: identification)
    (sections, tableOffset) = try Self.sections(bytes, trailer: at, path: path)
  }

  /// Checks sizes, magic, version and checksum; gives the offset of the trailer.
  private static func checkFrame(_ bytes: UnsafeRawBufferPointer, path: String) throws(ShardError) -> Int {
    typealias Head = ShardLayout.Head
    typealias Trailer = ShardLayout.Trailer
    let magic = ShardLayout.magic
    guard bytes.count >= magic.count, bytes.prefix(magic.count).elementsEqual(magic) else {
      throw ShardError(
        .notAShard, path: path, what: "start of the file", offset: 0, expectation: "a shard (53 48 41 52 44 0D 0A 00)",
        found: bytes.isEmpty ? "an empty file" : "other bytes", fix: "name a .shard file that was written by a build")
    }
    guard bytes.count >= Head.bytes + Trailer.bytes else {
      throw ShardError(
        .wrongSize, path: path, what: "size", expectation: "at least \(Head.bytes + Trailer.bytes) bytes",
        found: "\(bytes.count)", fix: ShardError.replaceFile)
    }
    let major = bytes.little(Head.major, as: UInt16.self)
    guard major == ShardLayout.major else {
      throw ShardError(
        .unsupported, path: path, what: "format version", offset: Head.major, expectation: "\(ShardLayout.major)",
        found: "\(major).\(bytes.little(Head.minor, as: UInt16.self))", fix: "use a newer version to read it")
    }
    let at = bytes.count - Trailer.bytes
    guard bytes[(at + Trailer.endMagic)...].elementsEqual(ShardLayout.endMagic) else {
      throw ShardError(
        .wrongSize, path: path, what: "end of the file", offset: at + Trailer.endMagic, expectation: "SHARDEND",
        found: "other bytes: the file is cut short or was added to", fix: ShardError.replaceFile)
    }
    var checksum = CRC32C()
    checksum.update(UnsafeRawBufferPointer(rebasing: bytes[..<Head.bytes]))
    checksum.update(UnsafeRawBufferPointer(rebasing: bytes[at..<(at + Trailer.checksum)]))
    let stored = bytes.little(at + Trailer.checksum, as: UInt32.self)
    guard checksum.value == stored else {
      throw ShardError(
        .checksum, path: path, what: "checksum of head and trailer", offset: at + Trailer.checksum,
        expectation: hex(checksum.value), found: hex(stored), fix: ShardError.replaceFile)
    }
    let said = bytes.little(at + Trailer.fileBytes, as: UInt64.self)
    guard said == UInt64(bytes.count) else {
      throw ShardError(
        .wrongSize, path: path, what: "size", offset: at + Trailer.fileBytes, expectation: "\(said) bytes",
        found: "\(bytes.count)", fix: ShardError.replaceFile)
    }
    let kind = bytes[Head.kind]
    guard kind == ShardLayout.kindShard else {
      throw ShardError(
        .unsupported, path: path, what: "kind of file", offset: Head.kind, expectation: "1 (a whole shard)",
        found: "\(kind)", fix: "use a newer version to read it")
    }
    return at
  }

  private static func sections(
    _ bytes: UnsafeRawBufferPointer, trailer: Int, path: String
  ) throws(ShardError) -> ([ShardSection], Int) {
    typealias Trailer = ShardLayout.Trailer
    typealias Entry = ShardLayout.TableEntry
    func fail(_ what: String, _ offset: Int, _ expectation: String, _ found: String) -> ShardError {
      ShardError(
        .malformed, path: path, what: what, offset: offset, expectation: expectation, found: found,
        fix: ShardError.replaceFile)
    }
    let count = Int(bytes.little(trailer + Trailer.sectionCount, as: UInt32.self))
    let said = bytes.little(trailer + Trailer.tableOffset, as: UInt64.self)
    guard count <= ShardLayout.maximumSections else {
      throw fail(
        "section count", trailer + Trailer.sectionCount, "at most \(ShardLayout.maximumSections)", "\(count)")
    }
    let room = trailer - ShardLayout.Head.bytes
    let needed = ShardLayout.aligned(count * Entry.bytes)
    guard needed <= room, said == UInt64(trailer - needed) else {
      throw fail(
        "offset of the section table", trailer + Trailer.tableOffset,
        needed <= room ? "\(trailer - needed)" : "room for \(count) sections", "\(said)")
    }
    let table = trailer - needed
    let tableBytes = UnsafeRawBufferPointer(rebasing: bytes[table..<(table + count * Entry.bytes)])
    let stored = bytes.little(trailer + Trailer.tableChecksum, as: UInt32.self)
    let checksum = CRC32C.checksum(of: tableBytes)
    guard checksum == stored else {
      throw ShardError(
        .checksum, path: path, what: "checksum of the section table", offset: table, expectation: hex(stored),
        found: hex(checksum), fix: ShardError.replaceFile)
    }
    var sections: [ShardSection] = []
    sections.reserveCapacity(count)
    var free = ShardLayout.Head.bytes
    for index in 0..<count {
      let entry = index * Entry.bytes
      let id = ShardSection.ID(rawValue: tableBytes.little(entry + Entry.id))
      let offset = tableBytes.little(entry + Entry.offset, as: UInt64.self)
      let length = tableBytes.little(entry + Entry.length, as: UInt64.self)
      guard offset % UInt64(ShardLayout.alignment) == 0, offset >= UInt64(free), offset <= UInt64(table),
        length <= UInt64(table) - offset
      else {
        throw fail(
          "place of section \(id.rawValue)", table + entry + Entry.offset,
          "a multiple of 64 between \(free) and \(table), and an end before that", "\(offset) + \(length)")
      }
      guard !sections.contains(where: { $0.id == id }) else {
        throw fail("section \(id.rawValue)", table + entry, "each id once", "it twice")
      }
      sections.append(
        ShardSection(
          id: id, mustBeKnown: tableBytes.little(entry + Entry.flags, as: UInt32.self) & Entry.mustKnow != 0,
          offset: Int(offset), byteCount: Int(length), checksum: tableBytes.little(entry + Entry.checksum)))
      free = Int(offset + length)
    }
    return (sections, table)
  }
}

/// `0x` and eight hexadecimal digits.
func hex(_ value: UInt32) -> String {
  let digits = String(value, radix: 16)
  return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
}
