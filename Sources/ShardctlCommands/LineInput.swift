internal import SystemSupport

/// The lines of a file or of standard input (`-`), as bytes, without a copy of the whole.
final class LineInput {
  private let file: OpenFile
  private var buffer: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0
  private var isAtEnd = false

  /// The longest line read, in bytes.
  static let maximumLine = 1 << 20

  /// Opens `path`; `-` is standard input.
  init(_ path: String) throws {
    file = path == "-" ? OpenFile.standardInput() : try OpenFile(path, .read)
    buffer = .allocate(byteCount: Self.maximumLine + 1, alignment: 64)
  }

  deinit { buffer.deallocate() }

  /// Calls `body` with each line without its end (LF or CRLF); the bytes are borrowed until it returns. A last line
  /// without an end counts. A line longer than the maximum is an error.
  func forEach(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var scanned = 0
    var line = 1
    while true {
      let bytes = UnsafeRawBufferPointer(buffer)
      if let feed = (start + scanned..<end).first(where: { bytes[$0] == 0x0A }) {
        let last = feed > start && bytes[feed - 1] == 0x0D ? feed - 1 : feed
        try body(UnsafeRawBufferPointer(rebasing: bytes[start..<last]))
        start = feed + 1
        scanned = 0
        line += 1
      } else if isAtEnd {
        if start < end { try body(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) }
        return
      } else {
        scanned = end - start
        guard scanned <= Self.maximumLine else { throw LineTooLong(path: file.path, line: line) }
        try refill()
      }
    }
  }

  private func refill() throws {
    if start > 0, let base = buffer.baseAddress {
      base.copyMemory(from: base + start, byteCount: end - start)
      end -= start
      start = 0
    }
    let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
    if count == 0 { isAtEnd = true }
    end += count
  }
}

/// A line of a batch that is longer than any number and country could be.
struct LineTooLong: Error, CustomStringConvertible {
  var path: String
  var line: Int
  var description: String { "\(path):\(line): the line has more than \(LineInput.maximumLine) bytes" }
}
