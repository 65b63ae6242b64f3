public import CallDirectory
internal import SystemSupport

/// All accepted rows of a plan's sources in ascending order of number, and the account of what was read.
///
/// Rows lie in memory or in unnamed temporary files, which vanish with this object. Any thread may read; several at once
/// too.
public final class SortedRows: Sendable {
  /// The texts of the areas in byte order; the index is `AreaID.rawValue`, and 0 stands for no area.
  public let areas: [String]
  /// All files that were read, in the order of sources and files; the index is `SourceRow.file`.
  public let files: [SourceFile]
  /// What became of everything that was read.
  public let report: ReadingReport

  private let runs: [SortedRun]
  private let chunks: [ChunkPlace]
  private let areaOrder: [UInt32]
  private let windowBytes: Int
  private let batchBytes: Int
  private let mergesAhead: Bool
  private let folder: String

  init(
    runs: [SortedRun], chunks: [ChunkPlace], areas: AreaTable.Snapshot, files: [SourceFile], report: ReadingReport,
    tuning: ReadingTuning, folder: String
  ) throws(SourceError) {
    self.areas = areas.texts
    areaOrder = areas.order
    self.files = files
    self.report = report
    self.chunks = chunks
    self.folder = folder
    do {
      self.runs = try RunFolding.fold(runs, tuning: tuning, folder: folder)
    } catch {
      throw SourceError(
        .io, file: folder, "cannot \(error.operation) temporary data: \(error.reason)", hint: error.remedy ?? "")
    }
    windowBytes = tuning.window(forRuns: self.runs.count)
    batchBytes = tuning.batchBytes
    mergesAhead = tuning.mergesAhead(self.runs.reduce(0) { $0 + $1.byteCount })
  }

  /// Calls `body` once per number, ascending, with all rows of the number in the order of source, file and line. The
  /// rows and their labels are borrowed until `body` returns.
  ///
  /// O(rows · log runs + numbers) time, where each number of a range counts as often as rows cover it; memory for a window
  /// per run on disk, for the rows of one number and for the ranges that cover it. May be called again and gives the
  /// same. Throws what `body` throws, or a `SourceError` when temporary data cannot be read.
  public func forEachNumber(_ body: (PhoneNumber, UnsafeBufferPointer<SourceRow>) throws -> Void) throws {
    try walk { first, last, rows in
      try body(PhoneNumber(first), UnsafeBufferPointer(rows))
      guard last > first else { return }
      for number in (first + 1)...last {
        for index in rows.indices { rows[index].number = PhoneNumber(number) }
        try body(PhoneNumber(number), UnsafeBufferPointer(rows))
      }
    }
  }

  /// Calls `body` once per segment, ascending: a run of consecutive numbers, as long as can be, that all have the same
  /// rows, with these rows in the order of source, file and line. Nothing is expanded: a range that nothing overlaps is
  /// one segment. `SourceRow.number` is the segment's first number in each of them. Rows and labels are borrowed until
  /// `body` returns.
  ///
  /// O(rows · log runs + rows of all segments) time; otherwise as `forEachNumber`.
  public func forEachSegment(
    _ body: (ClosedRange<PhoneNumber>, UnsafeBufferPointer<SourceRow>) throws -> Void
  ) throws {
    try walk { first, last, rows in try body(PhoneNumber(first)...PhoneNumber(last), UnsafeBufferPointer(rows)) }
  }

  /// The one loop over all rows. `body` may change the numbers of the rows it is given.
  @inline(__always)
  private func walk(_ body: (Int64, Int64, UnsafeMutableBufferPointer<SourceRow>) throws -> Void) throws {
    do {
      var records = try MergedRecords(runs, window: windowBytes, batch: batchBytes, isAhead: mergesAhead)
      let group = RowGroup()
      let open = OpenRanges()
      while true {
        let number = open.next ?? records.number
        if number == MergedRecords.exhausted { break }
        group.removeAll()
        while records.number == number {
          let row = decode(records.record, number: number, order: records.order)
          if records.order & RowRecord.lastFlag == 0 {
            group.append(row)
          } else {
            open.add(row, last: RowRecord.last(at: records.record, order: records.order))
          }
          try records.advance { group.keepLabels() }
        }
        let first = Int64(bitPattern: number)
        if open.isEmpty {
          try body(first, first, group.rows)
        } else {
          let segment = open.segment(from: first, with: group.rows, before: records.number)
          try body(first, segment.last, segment.rows)
          open.close(through: segment.last)
        }
      }
    } catch let error as SystemError {
      throw SourceError(
        .io, file: folder, "cannot \(error.operation) temporary data: \(error.reason)", hint: error.remedy ?? "")
    }
  }

  @inline(__always)
  private func decode(_ record: UnsafeRawPointer, number: UInt64, order: UInt64) -> SourceRow {
    let place = chunks[Int(truncatingIfNeeded: order >> 32)]
    let labelCount = Int(record.loadUnaligned(fromByteOffset: 16, as: UInt16.self))
    var offset = RowRecord.fixedBytes
    var score: Double?
    if order & RowRecord.scoreFlag != 0 {
      score = record.loadUnaligned(fromByteOffset: offset, as: Double.self)
      offset += 8
    }
    var area = AreaID.none
    if order & RowRecord.areaFlag != 0 {
      area = AreaID(rawValue: areaOrder[Int(record.loadUnaligned(fromByteOffset: offset, as: UInt32.self))])
      offset += 4
    }
    if order & RowRecord.lastFlag != 0 { offset += 8 }
    return SourceRow(
      number: PhoneNumber(Int64(bitPattern: number)), action: RowRecord.action(of: order), source: Int(place.source),
      file: Int(place.file), line: place.firstLine + Int(truncatingIfNeeded: order >> 8 & 0xFF_FFFF), area: area,
      score: score, label: UnsafeRawBufferPointer(start: record + offset, count: labelCount))
  }
}
