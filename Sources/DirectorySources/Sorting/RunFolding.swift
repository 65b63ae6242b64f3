internal import SystemSupport

/// Keeps the number of runs within what one merge can read at a time.
enum RunFolding {
  /// Merges runs, the first ones first, until at most `tuning.fanIn` are left. Merged runs go to temporary files of
  /// their own. The order of equal numbers lies in the records, so it does not matter which runs are merged.
  static func fold(_ runs: [SortedRun], tuning: ReadingTuning, folder: String) throws(SystemError) -> [SortedRun] {
    var runs = runs
    // Neighbours, each group in its place: records of one line are told apart by the order of their runs alone.
    var position = 0
    while runs.count > tuning.fanIn {
      if position + 1 >= runs.count { position = 0 }
      let end = min(position + min(tuning.fanIn, runs.count - tuning.fanIn + 1), runs.count)
      let merged = try merge(Array(runs[position..<end]), tuning: tuning, folder: folder)
      runs.replaceSubrange(position..<end, with: [merged])
      position += 1
    }
    return runs
  }

  private static func merge(
    _ runs: [SortedRun], tuning: ReadingTuning, folder: String
  ) throws(SystemError) -> SortedRun {
    let file = try OpenFile(temporaryIn: folder)
    let batch = try MemoryBlock(byteCount: tuning.batchBytes)
    var merger = try RunMerger.opening(runs, window: tuning.window(forRuns: runs.count))
    var written = 0
    while true {
      let count = try merger.fill(batch.bytes)
      if count == 0 { break }
      try file.write(UnsafeRawBufferPointer(rebasing: batch.bytes[..<count]), at: written)
      written += count
    }
    return SortedRun(.file(file, offset: 0), byteCount: written)
  }
}
