internal import SystemSupport

/// The lines of a file or of standard input (`-`), in blocks of whole lines, without a copy of the whole.
final class LineInput {
  private let file: OpenFile
  private let buffer: UnsafeMutableRawBufferPointer
  /// Bytes that have been read and not given out: the beginning of a line whose end is still to come.
  private var pending = 0..<0

  /// The longest line read, in bytes.
  static let maximumLine = 4 << 20

  /// Opens `path`; `-` is standard input.
  init(_ path: String) throws {
    file = path == "-" ? OpenFile.standardInput() : try OpenFile(path, .read)
    buffer = .allocate(byteCount: Self.maximumLine, alignment: 64)
  }

  deinit { buffer.deallocate() }

  /// The next whole lines with their ends, the last one perhaps without; nil at the end. The bytes are borrowed until the
  /// next call. A line longer than the maximum is an error.
  func next() throws -> UnsafeRawBufferPointer? {
    if let base = buffer.baseAddress { base.copyMemory(from: base + pending.lowerBound, byteCount: pending.count) }
    var end = pending.count
    // A stream may hand over little at a time: fill up, so that there is work for all threads.
    while end < buffer.count {
      let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
      if count == 0 { break }
      end += count
    }
    let isLast = end < buffer.count
    let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<end])
    let lineEnd = isLast ? end : bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    guard lineEnd > 0 || isLast else { throw LineTooLong(path: file.path, maximum: Self.maximumLine) }
    pending = lineEnd..<end
    return lineEnd == 0 ? nil : UnsafeRawBufferPointer(rebasing: bytes[..<lineEnd])
  }

  /// Cuts whole lines into at most `count` parts of whole lines, about equally long, in order.
  static func split(_ lines: UnsafeRawBufferPointer, into count: Int) -> [UnsafeRawBufferPointer] {
    var parts: [UnsafeRawBufferPointer] = []
    var start = 0
    for part in 1...count where start < lines.count {
      let from = max(start, lines.count / count * part)
      let end = part == count ? lines.count : lines[from...].firstIndex(of: 0x0A).map { $0 + 1 } ?? lines.count
      parts.append(UnsafeRawBufferPointer(rebasing: lines[start..<end]))
      start = end
    }
    return parts
  }

  /// Calls `body` with each line without its end (LF or CRLF); a last line without an end counts.
  static func forEachLine(
    in lines: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    var start = 0
    while start < lines.count {
      let feed = lines[start...].firstIndex(of: 0x0A) ?? lines.count
      let end = feed > start && lines[feed - 1] == 0x0D ? feed - 1 : feed
      try body(UnsafeRawBufferPointer(rebasing: lines[start..<end]))
      start = feed + 1
    }
  }
}

/// A line of a batch that is longer than any number and country could be.
struct LineTooLong: Error, CustomStringConvertible {
  var path: String
  var maximum: Int
  var description: String { "\(path): a line has more than \(maximum) bytes; a batch has a number on each line" }
}
