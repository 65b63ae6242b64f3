internal import Dispatch
internal import Synchronization
internal import SystemSupport

/// Reads the sources of a plan: rows in, one ascending stream and the account of every row out.
///
/// Files are read in blocks and cut into chunks of whole rows; threads parse and normalise chunks, collect records and
/// sort them into runs; `SortedRows` merges the runs while it is read. The result does not depend on the number of
/// threads, on timing or on the memory allowed.
public struct DirectoryReader: Sendable {
  private let sources: [SourceDescription]
  private let options: ReadingOptions
  private let tuning: ReadingTuning

  /// A reader of `sources`.
  public init(sources: [SourceDescription], options: ReadingOptions) {
    self.init(
      sources: sources, options: options, tuning: ReadingTuning(memory: options.memory, threads: options.threads))
  }

  init(sources: [SourceDescription], options: ReadingOptions, tuning: ReadingTuning) {
    self.sources = sources
    self.options = options
    self.tuning = tuning
  }

  /// Reads everything. Throws a `SourceError` for the first thing, in the order of sources, files and lines, that makes
  /// the sources unusable as a whole; nothing is left behind then.
  ///
  /// O(bytes + rows · log rows) time, `options.memory` of memory. Blocks the calling thread, which takes part.
  public func read() throws -> SortedRows {
    let files = try InputFile.expand(sources)
    let sizes = files.map(\.size)
    let total = sizes.contains(nil) ? 0 : sizes.reduce(0) { $0 + ($1 ?? 0) }
    // Before anything is read: a map that cannot be used must not cost the reading of a large file.
    let areaMaps = try sources.map { source in try source.areaMap.map { try AreaMap($0, source: source.id) } }
    let meter = InputMeter(total: total)
    let feed = ChunkFeed(files, sources: sources, tuning: tuning, meter: meter, progress: options.progress)
    let store = RunStore(keepLimit: tuning.keepBytes, folder: options.temporaryFolder, meter: meter)
    let areas = AreaTable(limit: tuning.areaBytes / 2)
    // No more threads than blocks: a small input is read by the calling thread alone.
    let blocks = sizes.contains(nil) ? tuning.threads : sizes.reduce(0) { $0 + ($1 ?? 0) / tuning.blockBytes + 1 }
    let threads = min(tuning.threads, blocks)

    // What is early waits for its turn in an eighth of the memory: the part that a merge uses afterwards.
    let delivery = options.observer.map { RowDelivery($0, files: files, limit: tuning.mergeBytes) }
    let interest = options.observer?.interest

    let outcome = Mutex((tallies: [[SourceTally]](), failure: ReadingFailure?.none))
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      // Each thread has plans of its own: their arrays are not counted as shared in every row.
      let plans = sources.indices.map { RowPlan(sources[$0], areaMap: areaMaps[$0]) }
      let result = Self.work(
        feed: feed, store: store, areas: areas, files: files, sources: sources, plans: plans, tuning: tuning,
        trace: interest.map(RowTrace.init), delivery: delivery)
      outcome.withLock { outcome in
        switch result {
        case .success(let tallies): outcome.tallies.append(tallies)
        case .failure(let failure):
          if outcome.failure.map(failure.isBefore) ?? true { outcome.failure = failure }
        }
      }
    }
    let (tallies, failure) = outcome.withLock { $0 }
    let layout = feed.places()
    if let failure { throw failure.located(in: layout.chunks) }
    try JSONRows.checkColumns(layout.layouts, files: files, sources: sources)
    options.observer?.observedAll()
    let assembly = ReportAssembly(sources: sources, files: files, places: layout)
    let report = assembly.report(tallies)
    try assembly.checkNotEmpty(report, tallies)
    return try SortedRows(
      runs: store.runs, chunks: layout.chunks, areas: areas.snapshot(), files: assembly.files, report: report,
      tuning: tuning, folder: options.temporaryFolder)
  }

  /// What one thread does until there are no more chunks.
  private static func work(
    feed: ChunkFeed, store: RunStore, areas: AreaTable, files: [InputFile], sources: [SourceDescription],
    plans: [RowPlan], tuning: ReadingTuning, trace: RowTrace?, delivery: RowDelivery?
  ) -> Result<[SourceTally], ReadingFailure> {
    Result { () throws(ReadingFailure) in
      do throws(ReadingFailure) {
        return try parseAll(
          feed: feed, store: store, areas: areas, files: files, sources: sources, plans: plans, tuning: tuning,
          trace: trace,
          delivery: delivery)
      } catch {
        feed.stop()
        delivery?.stop()
        throw error
      }
    }
  }

  private static func parseAll(
    feed: ChunkFeed, store: RunStore, areas: AreaTable, files: [InputFile], sources: [SourceDescription],
    plans: [RowPlan], tuning: ReadingTuning, trace: RowTrace?, delivery: RowDelivery?
  ) throws(ReadingFailure) -> [SourceTally] {
    let builder: RunBuilder
    do {
      builder = try RunBuilder(store: store, share: tuning.share)
    } catch {
      throw ReadingFailure(chunk: 0, line: 0, error: store.failure(error))
    }
    var intake = RowIntake(
      builder: builder, areas: AreaCache(areas, limit: tuning.areaBytes / 2 / tuning.threads), sources: sources,
      files: files, plans: plans, trace: trace)
    var parser = RowParser()
    let buffer = ChunkBuffer()
    while let next = feed.next(into: buffer) {
      let chunk = try next.get()
      let before = intake.rows(of: chunk)
      let lines = try parser.parse(chunk, in: buffer, into: &intake)
      feed.finish(
        chunk, lines: lines, charactersOnLastLine: parser.charactersOnLastLine, rows: intake.rows(of: chunk) - before)
      guard let trace, let delivery else { continue }
      do throws(SourceError) {
        try delivery.deliver(
          trace.take(), of: chunk, lines: lines, charactersOnLastLine: parser.charactersOnLastLine,
          header: feed.header(of: chunk.file))
      } catch {
        throw ReadingFailure(chunk: chunk.index, line: 0, error: error)
      }
    }
    do {
      try intake.finish()
    } catch {
      throw ReadingFailure(chunk: UInt32.max, line: 0, error: error)
    }
    return intake.tallies
  }
}
