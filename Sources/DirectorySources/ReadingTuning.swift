internal import SystemSupport

/// The sizes that reading and sorting work with, derived from one memory budget. Tests choose tiny ones to reach every
/// border with little data.
struct ReadingTuning: Sendable {
  /// Threads that parse.
  var threads: Int
  /// Bytes read at a time; a chunk holds whole rows, so it may be longer.
  var blockBytes: Int
  /// The longest row that is read, in bytes.
  var longestRow: Int
  /// Bytes of records and sort keys per thread.
  var share: Int
  /// Bytes of sorted runs kept in memory.
  var keepBytes: Int
  /// Bytes for the windows of a merge.
  var mergeBytes: Int
  /// The smallest window of a run on disk; no less than the longest record that occurs.
  var leastWindow = RowRecord.maximumBytes
  /// Bytes of merged records handed on at a time; no less than the longest record that occurs. Many, so that a change of
  /// batches costs nothing beside them.
  var batchBytes = max(1 << 18, RowRecord.maximumBytes)
  /// Bytes for the texts of areas.
  var areaBytes: Int
  /// Bytes that are converted from another encoding at a time.
  var streamBytes = 1 << 17
  /// Where the programs that unpack files are looked for.
  var programFolders = Machine.programFolders

  /// The longest row that is read, whatever the memory: what is refused must not depend on it. A chunk numbers at most
  /// 2^24 lines.
  static let longestRowLimit = 16 << 20
  /// The least memory that is worked with.
  static let leastMemory = 16 << 20

  /// A quarter of the memory collects rows, a quarter holds finished runs, an eighth each reads chunks and merges, an
  /// eighth is for area texts; the rest is for what cannot be planned, such as rows longer than a block.
  init(memory: Int, threads: Int) {
    let memory = max(memory, Self.leastMemory)
    self.threads = max(1, min(threads, memory >> 20))
    longestRow = Self.longestRowLimit
    blockBytes = min(1 << 20, memory / 8 / self.threads)
    share = memory / 4 / self.threads
    keepBytes = memory / 4
    mergeBytes = memory / 8
    areaBytes = memory / 8
  }

  /// Whether merging `byteCount` bytes is worth the start of a second thread.
  func mergesAhead(_ byteCount: Int) -> Bool { threads > 1 && byteCount > 8 * batchBytes }

  /// Runs that one merge reads at a time.
  var fanIn: Int { max(2, mergeBytes / (2 * leastWindow)) }

  /// The window of each run in a merge of `runs`.
  func window(forRuns runs: Int) -> Int {
    max(leastWindow, min(1 << 20, mergeBytes / max(runs, 1)))
  }
}
