public import CallDirectory
internal import Digests
internal import ShardFormat
internal import SystemSupport

/// Ranges that stay unexpanded.
extension ShardWriter {
  /// What the runs of a shard come to.
  struct RunFigures {
    var numbers = 0
    var counts = EntryCounts()
    var labelBytes = 0
  }

  /// Takes the next numbers, all with the same entry, as one. Runs that touch and say the same are one run, whatever the pieces
  /// they come in; one of fewer than 32 numbers, and any where repeats are allowed, is stored number by number. O(1) but for the
  /// digests, to which each number is given.
  ///
  /// Throws as `append(_:)` of an entry does, and a `ShardError` for less than one number or more than 4,294,967,295.
  public func append(_ run: EntryRun) throws {
    let number = run.entry.number.rawValue
    guard run.count > 0, run.count <= ShardLayout.Run.mostNumbers,
      !number.addingReportingOverflow(Int64(run.count - 1)).overflow
    else {
      throw entryError(
        number, "1 to \(ShardLayout.Run.mostNumbers) numbers up to \(Int64.max)", "\(run.count) numbers",
        "divide the range")
    }
    if run.count == 1 || options.allowsRepeats {
      for index in 0..<run.count {
        var entry = run.entry
        entry.number = PhoneNumber(number + Int64(index))
        try append(entry)
      }
      return
    }
    if hasOpenRun {
      if openRun.join(run, most: ShardLayout.Run.mostNumbers) { return }
      try closeRun()
    }
    if number <= last || (run.entry.label == nil && !run.entry.isBlocked) { try checkExceptional(run.entry) }
    if let label = run.entry.label { try check(label, number) }
    guard isOpen else { throw closedError() }
    openRun.begin(run)
    hasOpenRun = true
  }

  /// Stores the open run, as a run when it is long.
  func closeRun() throws {
    guard hasOpenRun else { return }
    hasOpenRun = false
    let isLong = openRun.count >= RunSpool.leastNumbers
    try openRun.end { run in
      guard isLong else {
        for index in 0..<run.count {
          try beginRow(run.entry.number.rawValue &+ Int64(index))
          if run.entry.isBlocked { blockLast() }
          if let label = run.entry.label { labelLast(label) }
        }
        return
      }
      try store(run)
    }
  }

  private func store(_ run: EntryRun) throws {
    let spool = runs ?? RunSpool(directory: Path.directory(of: path))
    runs = spool
    try closing { try spool.append(run) }
    let number = run.entry.number.rawValue
    if first == 0 { first = number }
    last = number &+ Int64(run.count &- 1)
    lastHasLabel = false
    runFigures.numbers += run.count
    if run.entry.isBlocked {
      runFigures.counts.blocking += run.count
      digests?.blocking.append(number, count: run.count)
    }
    if let label = run.entry.label {
      runFigures.counts.identification += run.count
      runFigures.labelBytes += run.count * label.count
      digests?.identification.append(number, count: run.count, label: label)
    }
  }
}
