internal import SystemSupport

/// Reads a text file line by line through a buffer of fixed size: nothing is allocated per line.
///
/// Lines end with LF or CRLF, the last one also without; a byte order mark at the start is skipped.
public final class LineReader {
  /// The file, for messages.
  public let path: String
  /// The number of the line given last, from 1; 0 before the first.
  public private(set) var lineNumber = 0

  private let file: OpenFile
  private let buffer: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0
  private var isAtEnd = false

  /// The longest line, in bytes.
  public static let maximumLine = 100_000

  /// Opens the file at `path`. Throws `dataUnavailable` when that can't be done.
  public init(_ path: String) throws(ProviderFailure) {
    self.path = path
    do throws(SystemError) {
      file = try OpenFile(path, .read)
    } catch {
      throw .dataUnavailable("\(error)")
    }
    buffer = .allocate(byteCount: Self.maximumLine + 28_000, alignment: 64)
  }

  deinit { buffer.deallocate() }

  /// The next line without its end, or nil after the last; borrowed until the next call. Throws `dataUnavailable` when
  /// the file can't be read, `dataCorrupt` for a line that is too long.
  public func next() throws(ProviderFailure) -> UnsafeRawBufferPointer? {
    var searched = 0
    while true {
      if let feed = buffer[(start + searched)..<end].firstIndex(of: 0x0A) { return line(to: feed, next: feed + 1) }
      if isAtEnd { return start < end ? line(to: end, next: end) : nil }
      searched = end - start
      guard searched <= Self.maximumLine else {
        throw .dataCorrupt("\(path):\(lineNumber + 1): longer than \(Self.maximumLine) bytes")
      }
      try fill()
    }
  }

  /// An error that names the file and the line given last.
  public func failure(_ message: String) -> ProviderFailure { .dataCorrupt("\(path):\(lineNumber): \(message)") }

  private func line(to lineEnd: Int, next: Int) -> UnsafeRawBufferPointer {
    var (first, last) = (start, lineEnd)
    if last > first, buffer[last - 1] == 0x0D { last -= 1 }
    if lineNumber == 0, last - first >= 3, buffer[first] == 0xEF, buffer[first + 1] == 0xBB, buffer[first + 2] == 0xBF {
      first += 3
    }
    start = next
    lineNumber += 1
    return UnsafeRawBufferPointer(rebasing: buffer[first..<last])
  }

  private func fill() throws(ProviderFailure) {
    if start > 0 {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
      (start, end) = (0, end - start)
    }
    do throws(SystemError) {
      let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
      end += count
      isAtEnd = count == 0
    } catch {
      throw .dataUnavailable("\(error)")
    }
  }
}

/// Numbers in text.
public enum NumberText {
  /// The number that `text` writes as 1 to 18 digits, with a `+` in front or without; nil for anything else.
  public static func parse(_ text: UnsafeRawBufferPointer) -> Int64? {
    let digits = text.first == 0x2B ? UnsafeRawBufferPointer(rebasing: text.dropFirst()) : text
    guard (1...18).contains(digits.count) else { return nil }
    var number: Int64 = 0
    for byte in digits {
      guard (0x30...0x39).contains(byte) else { return nil }
      number = number &* 10 &+ Int64(byte &- 0x30)
    }
    return number
  }
}
