internal import Synchronization
internal import SystemSupport

/// Whole rows of one file, ready to be parsed.
struct Chunk {
  /// Its number; see `ChunkPlace`.
  var index: UInt32
  /// Position of the file among all files.
  var file: Int
  /// Offset of the first byte in the file's text.
  var offset: Int
  /// Bytes in the buffer.
  var count: Int
  /// The row does not fit: `count` bytes of it are there, and the rest has been passed over.
  var isCutRow: Bool
  /// Lines that end in what was passed over.
  var skippedLines = 0
  /// Nothing of the file stands behind it.
  var isLast = false
  /// The layout of the file.
  var layout: FileLayout
  /// Bytes of the file on disk it stands for.
  var inputBytes = 0
  /// Whether offsets are those of unpacked data.
  var isUnpacked = false
}

/// Cuts the files into chunks of whole rows and gives them out in order.
///
/// Each call reads one block and cuts it behind its last row end, all under one lock: a chunk always begins with a row,
/// so rows of any length and quoted line ends need no mending afterwards. Reading costs a small part of parsing.
final class ChunkFeed: Sendable {
  private struct State {
    var nextFile = 0
    var current: FileReading?
    var places: [ChunkPlace] = []
    /// Lines before the first row, bytes read and rows parsed, per file.
    var headerLines: [Int]
    /// Characters before the first row on its line, for formats whose rows are no lines.
    var headerCharacters: [Int]
    var layouts: [FileLayout?]
    var bytes: [Int]
    var rows: [Int]
    var separators: [FieldSeparator?]
    var isStopped = false
    var progress = ReadingProgress(bytesRead: 0, bytesTotal: 0, rows: 0)
  }

  private struct FileReading {
    var index: Int
    var input: SequentialInput
    var layout: FileLayout
    var offset: Int
    /// Whether the last chunk has been given out.
    var isAtEnd = false
    /// Bytes of the file on disk that have been given out in chunks.
    var taken = 0
  }

  private let files: [InputFile]
  private let sources: [SourceDescription]
  private let tuning: ReadingTuning
  private let meter: InputMeter
  private let report: (@Sendable (ReadingProgress) -> Void)?
  private let state: Mutex<State>

  init(
    _ files: [InputFile], sources: [SourceDescription], tuning: ReadingTuning, meter: InputMeter,
    progress: (@Sendable (ReadingProgress) -> Void)?
  ) {
    self.files = files
    self.sources = sources
    self.tuning = tuning
    report = progress
    self.meter = meter
    var start = State(
      headerLines: Array(repeating: 0, count: files.count),
      headerCharacters: Array(repeating: 0, count: files.count), layouts: Array(repeating: nil, count: files.count),
      bytes: Array(repeating: 0, count: files.count),
      rows: Array(repeating: 0, count: files.count), separators: Array(repeating: nil, count: files.count))
    start.progress.bytesTotal = meter.total
    state = Mutex(start)
  }

  /// Reads the next chunk into `buffer`; nil when there is none. A failure has the place the chunk would have had.
  func next(into buffer: ChunkBuffer) -> Result<Chunk, ReadingFailure>? {
    state.withLock { state in
      guard !state.isStopped else { return nil }
      let index = UInt32(state.places.count)
      do throws(SourceError) {
        guard let chunk = try next(into: buffer, index: index, state: &state) else { return nil }
        state.places.append(
          ChunkPlace(
            source: UInt32(files[chunk.file].source), file: UInt32(chunk.file), offset: chunk.offset, lines: 0,
            firstLine: 0))
        return .success(chunk)
      } catch {
        state.isStopped = true
        return .failure(ReadingFailure(chunk: index, line: 0, error: error))
      }
    }
  }

  /// Takes note of a parsed chunk.
  func finish(_ chunk: Chunk, lines: Int, charactersOnLastLine: Int, rows: Int) {
    meter.advance(chunk.inputBytes, text: chunk.count)
    state.withLock { state in
      state.places[Int(chunk.index)].lines = lines
      state.places[Int(chunk.index)].charactersOnLastLine = charactersOnLastLine
      state.rows[chunk.file] += rows
      state.progress.bytesRead += chunk.inputBytes
      state.progress.rows += rows
      report?(state.progress)
    }
  }

  /// The lines of a file before its first row, and the characters before it on its line. Requires: a chunk of it has been
  /// given out.
  func header(of file: Int) -> (lines: Int, characters: Int) {
    state.withLock { ($0.headerLines[file], $0.headerCharacters[file]) }
  }

  /// Gives out no more chunks. All chunks before the ones given out so far have been given out.
  func stop() { state.withLock { $0.isStopped = true } }

  /// The places of all chunks with their first lines, and what is known of each file. After the last chunk.
  func places() -> ReadPlaces {
    state.withLock { state in
      var lines = state.headerLines
      var characters = state.headerCharacters
      for index in state.places.indices {
        let file = Int(state.places[index].file)
        state.places[index].firstLine = lines[file] + 1
        state.places[index].firstColumn = characters[file] + 1
        lines[file] += state.places[index].lines
        if state.places[index].lines > 0 { characters[file] = 0 }
        characters[file] += state.places[index].charactersOnLastLine
      }
      return ReadPlaces(
        chunks: state.places, bytes: state.bytes, lines: lines, rows: state.rows, layouts: state.layouts,
        separators: state.separators)
    }
  }

  private func next(
    into buffer: ChunkBuffer, index: UInt32, state: inout State
  ) throws(SourceError) -> Chunk? {
    while true {
      if state.current == nil {
        guard state.nextFile < files.count else { return nil }
        state.current = try open(state.nextFile, buffer: buffer, state: &state)
        state.nextFile += 1
      }
      guard var reading = state.current else { return nil }
      var chunk = try chunk(of: &reading, into: buffer, index: index)
      let taken = reading.input.taken(reading: reading.offset)
      state.bytes[reading.index] = taken
      chunk?.inputBytes = taken - reading.taken
      chunk?.isUnpacked = reading.input.isUnpacked
      reading.taken = taken
      if let chunk {
        state.current = reading
        return chunk
      }
      try checkUnchanged(reading)
      state.current = nil
    }
  }

  private func chunk(
    of reading: inout FileReading, into buffer: ChunkBuffer, index: UInt32
  ) throws(SourceError) -> Chunk? {
    var chunk = Chunk(
      index: index, file: reading.index, offset: reading.offset, count: 0, isCutRow: false, layout: reading.layout)
    let syntax = reading.layout.syntax
    let longest = max(tuning.longestRow, syntax.leastWindow)
    var wanted = tuning.blockBytes
    while true {
      let count = try read(reading.input, reading.index, into: buffer, count: wanted, at: reading.offset)
      if count == 0, reading.isAtEnd || !reading.layout.syntax.hasEnd { return nil }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
      if count < wanted, reading.input.failure == nil {
        chunk.count = count
        chunk.isLast = true
        reading.isAtEnd = true
      } else if let end = syntax.lastRowEnd(in: bytes) {
        chunk.count = end
      } else if let failure = reading.input.failure {
        // The rows before it have been given out; what is left of the last one is none.
        throw attributed(failure, reading.index)
      } else if wanted < longest {
        wanted = min(wanted * 2, longest)
        continue
      } else if let end = syntax.cut(bytes) {
        chunk.count = end
      } else if syntax.hasEnd {
        // Whoever parses it says what is wrong, and nothing behind it can be read.
        chunk.count = count
        chunk.isCutRow = true
      } else {
        chunk.count = syntax.kept(bytes)
        chunk.isCutRow = true
        reading.offset += chunk.count
        chunk.skippedLines = try skipRow(&reading, syntax)
        return chunk
      }
      reading.offset += chunk.count
      return chunk
    }
  }

  /// Passes over the rest of a row whose beginning the chunk holds. Returns the lines that end in it.
  private func skipRow(_ reading: inout FileReading, _ syntax: RowSyntax) throws(SourceError) -> Int {
    let rest = ChunkBuffer()
    let wanted = max(tuning.blockBytes, syntax.leastWindow)
    var lines = 0
    var last: UInt8?
    while true {
      let count = try read(reading.input, reading.index, into: rest, count: wanted, at: reading.offset)
      // The last line of a file may lack its end.
      if count == 0 { return last == syntax.lineEnd.byte ? lines : lines + 1 }
      let bytes = UnsafeRawBufferPointer(rebasing: rest.bytes[..<count])
      let (passed, isEnd) = syntax.passed(bytes, isWhole: count < wanted && reading.input.failure == nil)
      if passed == 0, let failure = reading.input.failure { throw attributed(failure, reading.index) }
      for byte in bytes[..<passed] where byte == syntax.lineEnd.byte { lines += 1 }
      last = passed > 0 ? bytes[passed - 1] : last
      reading.offset += passed
      if isEnd, last == syntax.lineEnd.byte { return lines }
    }
  }

  private func open(_ index: Int, buffer: ChunkBuffer, state: inout State) throws(SourceError) -> FileReading {
    let file = files[index]
    let source = sources[file.source]
    let input = try SequentialInput(file, source: source, tuning: tuning)
    var wanted = tuning.blockBytes
    while true {
      let count = try read(input, index, into: buffer, count: wanted, at: 0)
      let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count])
      let isWhole = count < wanted && input.failure == nil
      let isLast = wanted >= tuning.longestRow || input.failure != nil
      if let start = try FileStart(bytes, isWhole: isWhole, isLast: isLast, file: file, source: source) {
        state.headerLines[index] = start.headerLines
        state.headerCharacters[index] = start.headerCharacters
        state.layouts[index] = start.layout
        state.separators[index] = start.separator
        var reading = FileReading(index: index, input: input, layout: start.layout, offset: start.dataOffset)
        if input.isPlain { reading.taken = start.dataOffset }
        return reading
      }
      if let failure = input.failure { throw attributed(failure, index) }
      guard wanted < tuning.longestRow else {
        throw SourceError(
          .data, source: source.id, file: file.path, line: 1,
          file.format == .json
            ? "the rows do not begin within \(tuning.longestRow) bytes"
            : "the first row does not end within \(tuning.longestRow) bytes",
          hint: "check that the file is text in the stated format, and that its quotes close")
      }
      wanted = min(wanted * 2, tuning.longestRow)
    }
  }

  private func read(
    _ input: SequentialInput, _ index: Int, into buffer: ChunkBuffer, count: Int, at offset: Int
  ) throws(SourceError) -> Int {
    do {
      try buffer.reserve(count)
    } catch {
      throw SourceError(error, source: sources[files[index].source].id)
    }
    do {
      return try input.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<count]), at: offset)
    } catch {
      throw attributed(error, index)
    }
  }

  /// The error as one of the source that the file at `index` belongs to.
  private func attributed(_ error: SourceError, _ index: Int) -> SourceError {
    var error = error
    error.source = sources[files[index].source].id
    return error
  }

  /// A file that was written to while it was read may have been read half old, half new.
  private func checkUnchanged(_ reading: FileReading) throws(SourceError) {
    guard reading.input.status.kind == .regular else { return }
    let source = sources[files[reading.index].source].id
    do {
      let status = try reading.input.file.status()
      let before = reading.input.status
      if status.size == before.size, status.modified == before.modified { return }
    } catch {
      throw SourceError(error, source: source)
    }
    throw SourceError(
      .io, source: source, file: files[reading.index].path, "the file changed while it was read",
      hint: "write it under another name and rename it when it is complete, then run again")
  }
}
