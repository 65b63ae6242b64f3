internal import SystemSupport

/// A list of 8-byte integers that is written after the data it describes. Up to a fixed size it stays in memory, beyond that
/// in an unnamed file.
final class IndexSpool {
  private let directory: String
  private let capacity: Int
  private var words: [UInt64] = []
  private var file: OpenFile?

  /// A spool whose file, when it needs one, lies in `directory`.
  init(directory: String, capacity: Int) {
    self.directory = directory
    self.capacity = capacity
    words.reserveCapacity(capacity)
  }

  func append(_ word: UInt64) throws(SystemError) {
    if words.count == capacity { try spill() }
    words.append(word.littleEndian)
  }

  /// Writes all words in the order they came.
  func copy(to output: ShardOutput) throws(SystemError) {
    if let file {
      let mapped = try MappedFile(file, .sequential)
      defer { withExtendedLifetime(mapped) {} }
      var rest = mapped.bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(1 << 16)
        try output.write(UnsafeRawBufferPointer(rebasing: piece))
        rest = rest.dropFirst(piece.count)
      }
    }
    let result = words.withUnsafeBytes { buffer in
      Result { () throws(SystemError) in try output.write(buffer) }
    }
    try result.get()
  }

  private func spill() throws(SystemError) {
    let file: OpenFile
    if let open = self.file { file = open } else { file = try OpenFile(temporaryIn: directory) }
    self.file = file
    let result = words.withUnsafeBytes { buffer in Result { () throws(SystemError) in try file.write(buffer) } }
    try result.get()
    words.removeAll(keepingCapacity: true)
  }
}
