internal import CallDirectory

/// The run that a writer was given last: what follows may go on with it.
struct OpenRun {
  private(set) var first: Int64 = 0
  /// How many numbers it has; 0 when there is none.
  private(set) var count = 0
  private var isBlocked = false
  private var label: [UInt8]?

  var isEmpty: Bool { count == 0 }
  /// The last number. Requires: not empty.
  var last: Int64 { first &+ Int64(count &- 1) }
  /// Entries per family.
  var counts: EntryCounts {
    EntryCounts(blocking: isBlocked ? count : 0, identification: label == nil ? 0 : count)
  }

  /// Begins a run.
  mutating func begin(_ run: EntryRun) {
    first = run.entry.number.rawValue
    count = run.count
    isBlocked = run.entry.isBlocked
    label = run.entry.label.map(Array.init)
  }

  /// Whether `run` goes on where this one ends and says the same; it is taken in then. Requires: not empty. `most` is how many
  /// numbers a run may have.
  mutating func join(_ run: EntryRun, most: Int) -> Bool {
    guard run.entry.number.rawValue &- 1 == last, run.count <= most - count, run.entry.isBlocked == isBlocked,
      (run.entry.label == nil) == (label == nil)
    else { return false }
    if let own = run.entry.label, let label, !own.elementsEqual(label) { return false }
    count += run.count
    return true
  }

  /// Ends the run; gives it to `body`.
  mutating func end<R>(_ body: (EntryRun) throws -> R) rethrows -> R {
    let count = self.count
    self.count = 0
    let number = PhoneNumber(first)
    guard let label else {
      return try body(EntryRun(DirectoryEntry(number: number, isBlocked: isBlocked, label: nil), count: count))
    }
    return try label.withUnsafeBytes {
      try body(EntryRun(DirectoryEntry(number: number, isBlocked: isBlocked, label: $0), count: count))
    }
  }
}
