internal import CallDirectory
internal import SystemSupport

/// Entries with the packs that each is in, on their way from the walk over the rows to the packs: a temporary file, written
/// once in ascending order and read once.
///
/// A record is the first number (8 bytes), how many numbers there are (8), the length of the label doubled, plus 1 for a block
/// (4), the number of packs (4), for each the pack's position times 4, plus 1 for a block, plus 2 for the label (4), and the
/// label.
final class PackSpool {
  private let writer: FileWriter
  private static let headBytes = 24

  /// An empty spool in `folder`.
  init(folder: String) throws(SystemError) {
    writer = try FileWriter(OpenFile(temporaryIn: folder), bufferSize: 1 << 17)
  }

  /// Appends entries.
  func append(_ run: EntryRun, _ members: some Collection<PackMembers.Member>) throws(SystemError) {
    let entry = run.entry
    let label = entry.label ?? UnsafeRawBufferPointer(start: nil, count: 0)
    try writer.write(entry.number.rawValue)
    try writer.write(Int64(run.count))
    try writer.write(UInt32(truncatingIfNeeded: label.count) << 1 | (entry.isBlocked ? 1 : 0))
    try writer.write(UInt32(truncatingIfNeeded: members.count))
    for member in members {
      try writer.write(
        UInt32(bitPattern: member.pack) << 2 | (member.isBlocked ? 1 : 0) | (member.isIdentified ? 2 : 0))
    }
    try writer.write(label)
  }

  /// Calls `body` with what was appended, in order; runs and members are borrowed. Nothing can be appended afterwards.
  func forEach(_ body: (EntryRun, [PackMembers.Member]) throws -> Void) throws {
    try writer.flush()
    let file = try MappedFile(writer.file, .sequential)
    defer { withExtendedLifetime(file) {} }
    guard var at = file.bytes.baseAddress else { return }
    let end = at + file.bytes.count
    var members: [PackMembers.Member] = []
    while at < end {
      let number = Int64(littleEndian: at.loadUnaligned(as: Int64.self))
      let label = UInt32(littleEndian: at.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
      let numbers = Int(Int64(littleEndian: at.loadUnaligned(fromByteOffset: 8, as: Int64.self)))
      let count = Int(UInt32(littleEndian: at.loadUnaligned(fromByteOffset: 20, as: UInt32.self)))
      at += Self.headBytes
      members.removeAll(keepingCapacity: true)
      for _ in 0..<count {
        let member = UInt32(littleEndian: at.loadUnaligned(as: UInt32.self))
        members.append(
          PackMembers.Member(
            pack: Int32(bitPattern: member >> 2), isBlocked: member & 1 != 0, isIdentified: member & 2 != 0))
        at += 4
      }
      let length = Int(label >> 1)
      let entry = DirectoryEntry(
        number: PhoneNumber(number), isBlocked: label & 1 == 1,
        label: length == 0 ? nil : UnsafeRawBufferPointer(start: at, count: length))
      at += length
      try body(EntryRun(entry, count: numbers), members)
    }
  }
}
