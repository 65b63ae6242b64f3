internal import SystemSupport

/// Reads a file at offsets that never go back before one that was asked for: a regular file wherever it is asked, a
/// pipe by keeping what was read and may be asked for again. One thread at a time.
final class SequentialInput: @unchecked Sendable {
  /// The open file.
  let file: OpenFile
  private let isSeekable: Bool
  private var kept: [UInt8] = []
  private var keptOffset = 0

  init(_ file: OpenFile, isSeekable: Bool) {
    self.file = file
    self.isSeekable = isSeekable
  }

  /// Fills `buffer` with the bytes at `offset`; fewer only at the end of the input. Returns the bytes read.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    if isSeekable { return try file.read(into: buffer, at: offset) }
    kept.removeFirst(min(kept.count, max(0, offset - keptOffset)))
    keptOffset = offset
    var count = min(kept.count, buffer.count)
    buffer.copyBytes(from: kept[..<count])
    while count < buffer.count {
      let read = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
      if read == 0 { break }
      count += read
    }
    if count > kept.count { kept = Array(buffer[..<count]) }
    return count
  }
}
