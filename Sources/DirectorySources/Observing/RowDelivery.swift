internal import Dispatch
internal import Synchronization

/// Shows the observer what the threads have kept, in the order of chunks, and gives every row its line in its file.
///
/// What is finished before its turn waits in memory. When that is more than the limit, threads wait too: the chunk whose
/// turn it is was given out before all that wait, so there is always a thread at work on it.
final class RowDelivery: Sendable {
  private struct Entry {
    var file: Int
    var headerLines: Int
    var headerCharacters: Int
    var lines: Int
    var charactersOnLastLine: Int
    var batch: RowTrace.Batch
    /// Names of the columns, where those have no positions.
    var names: [String]
  }

  private struct State {
    var next: UInt32 = 0
    var pending: [UInt32: Entry] = [:]
    var pendingBytes = 0
    var waiting: [DispatchSemaphore] = []
    /// The file of the last chunk, and its lines so far.
    var file = -1
    var lines = 0
    /// Characters behind the last line end so far, for formats whose rows are no lines.
    var characters = 0
    var isStopped = false
  }

  private let observer: any RowObserver
  private let files: [InputFile]
  private let limit: Int
  private let state = Mutex(State())

  /// A delivery that keeps about `limit` bytes of what is early.
  init(_ observer: any RowObserver, files: [InputFile], limit: Int) {
    self.observer = observer
    self.files = files
    self.limit = limit
  }

  /// Takes what was kept of a chunk of `lines` lines, and shows all whose turn has come. `header` is what stands before the
  /// rows of its file. Any thread; may wait for others. Throws what the observer throws.
  func deliver(
    _ batch: RowTrace.Batch, of chunk: Chunk, lines: Int, charactersOnLastLine: Int,
    header: (lines: Int, characters: Int)
  ) throws(SourceError) {
    let turn: Result<DispatchSemaphore?, SourceError> = state.withLock { state in
      guard !state.isStopped else { return .success(nil) }
      state.pending[chunk.index] = Entry(
        file: chunk.file, headerLines: header.lines, headerCharacters: header.characters, lines: lines,
        charactersOnLastLine: charactersOnLastLine, batch: batch, names: chunk.layout.names)
      state.pendingBytes += batch.byteCount
      do throws(SourceError) {
        while let entry = state.pending.removeValue(forKey: state.next) { try show(entry, &state) }
      } catch {
        return .failure(error)
      }
      guard state.pendingBytes > limit else {
        Self.wake(&state)
        return .success(nil)
      }
      let semaphore = DispatchSemaphore(value: 0)
      state.waiting.append(semaphore)
      return .success(semaphore)
    }
    try turn.get()?.wait()
  }

  /// Shows nothing more; whoever waits goes on.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.pending.removeAll()
      Self.wake(&state)
    }
  }

  private static func wake(_ state: inout State) {
    for semaphore in state.waiting { semaphore.signal() }
    state.waiting.removeAll()
  }

  private func show(_ entry: Entry, _ state: inout State) throws(SourceError) {
    state.next += 1
    state.pendingBytes -= entry.batch.byteCount
    if state.file != entry.file {
      state.file = entry.file
      state.lines = entry.headerLines
      state.characters = entry.headerCharacters
    }
    let firstLine = state.lines + 1
    let firstColumn = state.characters + 1
    let hasPositions = files[entry.file].format.hasPositions
    state.lines += entry.lines
    state.characters = entry.charactersOnLastLine + (entry.lines > 0 ? 0 : state.characters)
    let result: Result<Void, SourceError> = entry.batch.bytes.withUnsafeBytes { bytes in
      Result { () throws(SourceError) in
        for record in entry.batch.records {
          try observer.observe(
            ObservedRow(
              source: files[entry.file].source, file: entry.file, path: files[entry.file].path,
              line: firstLine + record.line,
              column: record.column.map { $0 + (record.line == 0 ? firstColumn : 1) }
                ?? (hasPositions ? record.field.map { $0 + 1 } : nil),
              isSameRow: record.isSameRow,
              text: UnsafeRawBufferPointer(rebasing: bytes[record.text]),
              cell: UnsafeRawBufferPointer(rebasing: bytes[record.cell]), outcome: Self.outcome(record, entry.names)))
        }
      }
    }
    try result.get()
  }

  /// A column without a position has a name, which the reason then says, as in the report.
  private static func outcome(_ record: RowTrace.Record, _ names: [String]) -> ObservedRow.Outcome {
    guard case .refused(let reason) = record.outcome, let field = record.field, field < names.count else {
      return record.outcome
    }
    return .refused(reason: "\(reason) (\(names[field]))")
  }
}
