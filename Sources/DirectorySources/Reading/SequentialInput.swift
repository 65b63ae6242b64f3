internal import SystemSupport

/// The bytes of a source file as UTF-8, read at offsets that never go back before one that was asked for: a plain file
/// wherever it is asked, all else (pipes, packed files, other encodings) by keeping what was read and may be asked for
/// again. Offsets count what is read, not what is on disk. One thread at a time.
final class SequentialInput: @unchecked Sendable {
  /// The open file.
  let file: OpenFile
  /// The file as it was when it was opened.
  let status: FileStatus
  /// Whether the bytes come from a packed file.
  let isUnpacked: Bool
  /// What ended the input before its end. What was read before it has been given out, and the next read throws it.
  private(set) var failure: SourceError?

  /// Nil for a plain file.
  private var stream: (any ByteStream)?
  private var kept: [UInt8] = []
  private var keptOffset = 0

  /// Opens `file` and settles how its bytes become UTF-8.
  init(_ file: InputFile, source: SourceDescription, tuning: ReadingTuning) throws(SourceError) {
    do {
      self.file = try OpenFile(file.path, .read)
      status = try self.file.status()
    } catch {
      throw SourceError(error, source: source.id)
    }
    do throws(SourceError) {
      let isRegular = status.kind == .regular
      var head: [UInt8] = []
      if isRegular { head = try Self.start(of: self.file) }
      // The bytes of a pipe that were looked at would be lost to the program.
      if let compression = Compression(mark: head) ?? Compression(path: file.path) {
        stream = try UnpackedStream(self.file, compression, isRegular: isRegular, folders: tuning.programFolders)
        isUnpacked = true
      } else {
        if !isRegular { stream = FileStream(self.file) }
        isUnpacked = false
      }
      if let stream { head = try Self.start(of: stream) }
      if !isRegular, !isUnpacked, let compression = Compression(mark: head) {
        throw SourceError(
          .data, file: file.path, key: "file", "the pipe gives data packed with \(compression.rawValue)",
          hint: "unpack it in the pipe (\(compression.rawValue) -dc), or end the pipe's name in "
            + "\".\(compression.fileExtension)\"")
      }
      guard file.format.isText else {
        if stream != nil { kept = head }
        return
      }
      let text = try TextStart(head, declared: source.encoding, file: file.path)
      guard text.encoding != .utf8 else {
        if stream != nil { kept = head }
        return
      }
      if stream == nil { head = [] }
      let plain = FileStream(self.file)
      if stream == nil { head = try Self.start(of: plain) }
      stream = try ConvertedStream(
        stream ?? plain, head: head[text.markBytes...], markBytes: text.markBytes, encoding: text.encoding,
        path: file.path, isUnpacked: isUnpacked, blockBytes: tuning.streamBytes)
    } catch {
      var error = error
      error.source = source.id
      throw error
    }
  }

  /// Whether what is read is what is on disk.
  var isPlain: Bool { stream == nil }

  /// Bytes of the file on disk that `count` bytes read so far stand for.
  func taken(reading count: Int) -> Int { stream?.taken ?? count }

  /// Fills `buffer` with the bytes at `offset`; fewer only at the end of the input or before a failure. Returns the
  /// bytes read. The error names no source.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SourceError) -> Int {
    guard let stream else {
      do {
        return try file.read(into: buffer, at: offset)
      } catch {
        throw SourceError(error, source: "")
      }
    }
    kept.removeFirst(min(kept.count, max(0, offset - keptOffset)))
    keptOffset = offset
    var count = min(kept.count, buffer.count)
    buffer.copyBytes(from: kept[..<count])
    while count < buffer.count, failure == nil {
      do {
        let read = try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
        if read == 0 { break }
        count += read
      } catch {
        failure = error
      }
    }
    if count > kept.count { kept = Array(buffer[..<count]) }
    if count == 0, let failure { throw failure }
    return count
  }

  /// The bytes at the start of a file that tell packed files and encodings.
  private static func start(of file: OpenFile) throws(SourceError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Compression.longestMark)
    let result = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(SystemError) in try file.read(into: buffer, at: 0) }
    }
    do {
      return Array(bytes[..<(try result.get())])
    } catch {
      throw SourceError(error, source: "")
    }
  }

  /// As many from a stream, which gives them only once.
  private static func start(of stream: any ByteStream) throws(SourceError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Compression.longestMark)
    let result = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(SourceError) in
        var count = 0
        while count < buffer.count {
          let read = try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
          if read == 0 { break }
          count += read
        }
        return count
      }
    }
    return Array(bytes[..<(try result.get())])
  }
}
