internal import PositionedJSON

extension FileStart {
  /// The start of a JSON file or of a file of JSON lines: the way to the rows, and the columns. Nil when more bytes are
  /// needed.
  static func json(
    _ bytes: UnsafeRawBufferPointer, from start: Int, isWhole: Bool, file: InputFile, source: SourceDescription
  ) throws(SourceError) -> FileStart? {
    let resolver = ColumnResolver(source: source, file: file)
    let text = UnsafeRawBufferPointer(rebasing: bytes[start...])
    let found = lineEnd(
      of: text, { TableSyntax(file.format, fieldSeparator: .comma, lineEnd: $0) }, isWhole: isWhole)
    // A document of one long line has none, and needs none but to tell where an error stands.
    let end = found ?? .lineFeed
    if file.format == .jsonl {
      guard found != nil else { return nil }
      guard source.records.isEmpty else {
        throw SourceError(
          .data, source: source.id, file: file.path, key: "records", "in a file of JSON lines each line is a row",
          hint: "remove \"records\", and name the columns from the line's own value on")
      }
      return FileStart(
        layout: try resolver.resolve(way: nil, start: start, lineEnd: end), dataOffset: start, headerLines: 0)
    }
    do {
      let names = JSONFieldPath.names(source.records)
      guard let way = try JSONWay(bytes, from: start, isWhole: isWhole, path: names) else { return nil }
      let header = UnsafeRawBufferPointer(rebasing: bytes[start..<way.rowsOffset])
      let extent = TextExtent(header, lineEnd: end)
      return FileStart(
        layout: try resolver.resolve(way: way, start: way.rowsOffset, lineEnd: end), dataOffset: way.rowsOffset,
        headerLines: extent.lines, headerCharacters: extent.charactersOnLastLine)
    } catch let fault as JSONFault {
      let extent = TextExtent(UnsafeRawBufferPointer(rebasing: bytes[start..<max(start, fault.offset)]), lineEnd: end)
      throw SourceError(
        .data, source: source.id, file: file.path, line: extent.lines + 1, column: extent.charactersOnLastLine + 1,
        key: fault.isPath ? "records" : nil, "\(fault.message) (offset \(fault.offset))",
        hint: fault.isEncoding ? TextEncoding.hint : fault.hint ?? "")
    } catch let error as SourceError {
      throw error
    } catch {
      throw SourceError(.data, source: source.id, file: file.path, "cannot be read as JSON")
    }
  }
}

/// Lines and characters of a text.
struct TextExtent {
  /// Line ends.
  var lines = 0
  /// Characters, one per Unicode scalar, behind the last line end.
  var charactersOnLastLine = 0

  /// Counts. O(bytes), eight at a time.
  init(_ bytes: UnsafeRawBufferPointer, lineEnd: LineEnd) {
    guard let base = bytes.baseAddress else { return }
    let pattern = ByteSearch.repeated(lineEnd.byte)
    var lineStart = 0
    var position = 0
    while position + 8 <= bytes.count {
      let hits = ByteSearch.equal(UInt64(littleEndian: (base + position).loadUnaligned(as: UInt64.self)), pattern)
      if hits != 0 {
        lines += hits.nonzeroBitCount
        lineStart = position + 8 - hits.leadingZeroBitCount >> 3
      }
      position += 8
    }
    while position < bytes.count {
      if bytes[position] == lineEnd.byte {
        lines += 1
        lineStart = position + 1
      }
      position += 1
    }
    position = lineStart
    while position + 8 <= bytes.count {
      let word = (base + position).loadUnaligned(as: UInt64.self)
      // Bytes 10xxxxxx continue a character.
      let continuing = word & ~(word &<< 1) & 0x8080_8080_8080_8080
      charactersOnLastLine += 8 - continuing.nonzeroBitCount
      position += 8
    }
    while position < bytes.count {
      if bytes[position] & 0xC0 != 0x80 { charactersOnLastLine += 1 }
      position += 1
    }
  }

  /// Line ends alone, of a short text.
  @inline(__always)
  static func lines(_ start: UnsafeRawPointer, _ end: UnsafeRawPointer, lineEnd: LineEnd) -> Int {
    let pattern = ByteSearch.repeated(lineEnd.byte)
    var lines = 0
    var position = start
    while end - position >= 8 {
      lines += ByteSearch.equal(position.loadUnaligned(as: UInt64.self), pattern).nonzeroBitCount
      position += 8
    }
    while position < end {
      if position.load(as: UInt8.self) == lineEnd.byte { lines += 1 }
      position += 1
    }
    return lines
  }
}
