internal import SystemSupport

/// Text in another encoding as UTF-8. Marks (U+FEFF) at its start and behind line ends are left out: some programs write
/// one before every record.
final class ConvertedStream: ByteStream {
  private let upstream: any ByteStream
  private let path: String
  private let encoding: TextEncoding
  private let isUnpacked: Bool
  private let converter: TextConverter
  /// Bytes of the file before those the converter was given.
  private let markBytes: Int

  private let input: MemoryBlock
  private var inputRange = 0..<0
  private var inputHasEnded = false
  private let output: MemoryBlock
  private var outputRange = 0..<0
  /// Whether a mark may stand at the start of the next output.
  private var isAtLineStart = true

  /// The text that begins with `head` behind its mark and goes on in `upstream`, `blockBytes` at a time.
  ///
  /// Requires: `head` has at most `blockBytes` bytes.
  init(
    _ upstream: any ByteStream, head: ArraySlice<UInt8>, markBytes: Int, encoding: TextEncoding, path: String,
    isUnpacked: Bool, blockBytes: Int
  ) throws(SourceError) {
    self.upstream = upstream
    self.path = path
    self.encoding = encoding
    self.isUnpacked = isUnpacked
    self.markBytes = markBytes
    do {
      converter = try TextConverter(from: encoding.converterName)
    } catch {
      throw SourceError(
        .io, file: path, key: "encoding", "this system has no converter for \(encoding.rawValue)",
        hint: "install the C library's converters (gconv modules), or convert the file to UTF-8 elsewhere")
    }
    do {
      input = try MemoryBlock(byteCount: max(blockBytes, head.count))
      output = try MemoryBlock(byteCount: max(blockBytes, 64))
    } catch {
      throw SourceError(.io, file: path, "cannot \(error.operation): \(error.reason)")
    }
    input.bytes.copyBytes(from: head)
    inputRange = 0..<head.count
  }

  var taken: Int { upstream.taken }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
    while outputRange.isEmpty {
      if inputRange.isEmpty {
        guard !inputHasEnded else { return 0 }
        inputRange = 0..<(try upstream.read(into: input.bytes))
        inputHasEnded = inputRange.isEmpty
      }
      try convert()
    }
    let count = min(buffer.count, outputRange.count)
    buffer.copyMemory(
      from: UnsafeRawBufferPointer(rebasing: output.bytes[outputRange.lowerBound..<(outputRange.lowerBound + count)]))
    outputRange = (outputRange.lowerBound + count)..<outputRange.upperBound
    return count
  }

  private func convert() throws(SourceError) {
    do throws(TextConverter.InvalidText) {
      guard !inputHasEnded else { return try converter.finish() }
      let (taken, written) = try converter.convert(
        UnsafeRawBufferPointer(rebasing: input.bytes[inputRange]), into: output.bytes)
      inputRange = (inputRange.lowerBound + taken)..<inputRange.upperBound
      outputRange = 0..<dropMarks(UnsafeMutableRawBufferPointer(rebasing: output.bytes[..<written]))
    } catch {
      let byte = "byte 0x\(String(error.byte, radix: 16, uppercase: true)) at offset \(markBytes + error.offset)"
      let place = isUnpacked ? "\(byte) of the unpacked data" : byte
      throw SourceError(
        .data, file: path, key: "encoding",
        error.isTruncated
          ? "the text ends within a character of \(encoding.rawValue): \(place)"
          : "\(place) is not valid \(encoding.rawValue)",
        hint: error.isTruncated ? "the file is cut short, or its encoding is another one" : TextEncoding.hint)
    }
  }

  /// Removes the marks that are no text and returns how many bytes are left.
  private func dropMarks(_ text: UnsafeMutableRawBufferPointer) -> Int {
    guard !text.isEmpty else { return 0 }
    let bytes = UnsafeRawBufferPointer(text)
    var kept = 0
    var start = 0
    var position = 0
    while let found = ByteSearch.first(0xEF, in: bytes, from: position) {
      position = found + 1
      guard found + 3 <= bytes.count, bytes[found + 1] == 0xBB, bytes[found + 2] == 0xBF else { continue }
      // What stands before the mark: text that is kept, or a mark that was left out at the start of a line.
      let isFirst = found > start ? Self.isLineEnd(bytes[found - 1]) : found > 0 || isAtLineStart
      guard isFirst else { continue }
      kept = Self.move(text, start..<found, to: kept)
      start = found + 3
      position = start
    }
    kept = Self.move(text, start..<text.count, to: kept)
    if kept > 0 { isAtLineStart = Self.isLineEnd(text[kept - 1]) }
    return kept
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool { byte == Byte.lineFeed || byte == Byte.carriageReturn }

  /// Moves a part of `text` forward to `target` and returns where it then ends.
  private static func move(_ text: UnsafeMutableRawBufferPointer, _ range: Range<Int>, to target: Int) -> Int {
    if range.lowerBound > target, !range.isEmpty, let base = text.baseAddress {
      (base + target).copyMemory(from: base + range.lowerBound, byteCount: range.count)
    }
    return target + range.count
  }
}
