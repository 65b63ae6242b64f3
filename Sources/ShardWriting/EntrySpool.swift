internal import SystemSupport

/// Entries of one family in the order they came, in an unnamed file: what cannot be written to the shard yet. Memory is the
/// writer's buffer; reading maps the file.
final class EntrySpool {
  private let writer: FileWriter
  private let hasLabels: Bool

  /// An empty spool in `directory`.
  init(directory: String, hasLabels: Bool) throws(SystemError) {
    writer = FileWriter(try OpenFile(temporaryIn: directory))
    self.hasLabels = hasLabels
  }

  func append(_ number: Int64) throws(SystemError) { try writer.write(number) }

  func append(_ number: Int64, label: UnsafeRawBufferPointer) throws(SystemError) {
    try writer.write(number)
    try writer.write(UInt32(truncatingIfNeeded: label.count))
    try writer.write(label)
  }

  /// The entries in the order they came. Nothing may be appended afterwards.
  func read() throws(SystemError) -> Reader {
    try writer.flush()
    return Reader(try MappedFile(writer.file, .sequential), hasLabels: hasLabels)
  }

  /// Walks a spool; stands on the first entry.
  struct Reader {
    /// The number that comes next, nil behind the last.
    private(set) var number: Int64?
    /// Its label; empty in a spool without labels.
    private(set) var label = UnsafeRawBufferPointer(start: nil, count: 0)

    private let file: MappedFile
    private let hasLabels: Bool
    private var offset = 0

    init(_ file: MappedFile, hasLabels: Bool) {
      self.file = file
      self.hasLabels = hasLabels
      advance()
    }

    mutating func advance() {
      let bytes = file.bytes
      guard bytes.count - offset >= 8 else {
        number = nil
        return
      }
      number = Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self))
      offset += 8
      guard hasLabels else { return }
      let length = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      offset += 4
      label = UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + length)])
      offset += length
    }
  }
}
