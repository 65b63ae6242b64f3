public import CallDirectory
public import ShardFormat

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Walks several packs at a time as one ascending stream without repeats: a number of several packs comes once, blocked when one of
/// them blocks it, with the label that they all give it.
///
/// Memory is that of a `ShardCursor` for each pack, however many entries they have; O(log packs) for each entry. A label is
/// borrowed until the next call. One thread at a time. Requires: no pack repeats a number (a planned shard never does).
public final class PackCursor {
  private let shards: [Shard]
  private let cursors: [ShardCursor]
  /// By pack: what of its row or run at hand has not been given.
  private let runs: UnsafeMutablePointer<EntryRun>
  /// A heap of packs by the number at hand and then by place: the least is first.
  private var heap: [Int] = []
  /// Packs whose runs have been given, in full or in part, and that are not in the heap.
  private var given: [Int] = []
  private var isTopGiven = false
  private var isBegun = false
  /// How many numbers were given last.
  private var givenCount = 0
  /// What `next` gives number by number, and how many numbers of it have been given.
  private var open: (run: EntryRun, given: Int)?

  /// A cursor over `shards`, before the first entry.
  public init(_ shards: [Shard]) {
    self.shards = shards
    cursors = shards.map { $0.makeCursor() }
    runs = .allocate(capacity: max(shards.count, 1))
    runs.initialize(
      repeating: EntryRun(DirectoryEntry(number: PhoneNumber(0), isBlocked: false, label: nil)),
      count: max(shards.count, 1))
    heap.reserveCapacity(shards.count)
    given.reserveCapacity(shards.count)
  }

  deinit { runs.deallocate() }

  /// The next number with what the packs together say of it; nil behind the last.
  ///
  /// Throws a `ShardError` for a damaged pack, and a `PackError` where packs give one number different labels: they are not of one
  /// release. The cursor is of no use afterwards.
  public func next() throws -> DirectoryEntry? {
    if let (run, given) = open {
      var entry = run.entry
      entry.number = PhoneNumber(entry.number.rawValue + Int64(given))
      open = given + 1 < run.count ? (run, given + 1) : nil
      return entry
    }
    guard let run = try nextMerged() else { return nil }
    if run.count > 1 { open = (run, 1) }
    return run.entry
  }

  /// The next numbers of which all packs say the same, in one piece as far as each pack has them so; throws as `next` does.
  public func nextRun() throws -> EntryRun? {
    if let (run, given) = open {
      var entry = run.entry
      entry.number = PhoneNumber(entry.number.rawValue + Int64(given))
      open = nil
      return EntryRun(entry, count: run.count - given)
    }
    return try nextMerged()
  }

  private func nextMerged() throws -> EntryRun? {
    try advanceGiven()
    guard let first = heap.first else { return nil }
    isTopGiven = true
    var run = runs[first]
    let number = run.entry.number.rawValue
    let second = min(heap.count > 1 ? start(heap[1]) : .max, heap.count > 2 ? start(heap[2]) : .max)
    guard second == number else {
      // Up to where the next pack begins.
      run.count = min(run.count, Int(clamping: second - number))
      givenCount = run.count
      return run
    }
    isTopGiven = false
    removeTop()
    given.append(first)
    while let other = heap.first, start(other) == number {
      removeTop()
      given.append(other)
      run.count = min(run.count, runs[other].count)
      if runs[other].entry.isBlocked { run.entry.isBlocked = true }
      guard let label = runs[other].entry.label else { continue }
      if let known = run.entry.label {
        guard Self.areEqual(known, label) else { throw contradiction(run.entry.number, of: other) }
      } else {
        run.entry.label = label
      }
    }
    if let next = heap.first { run.count = min(run.count, Int(clamping: start(next) - number)) }
    givenCount = run.count
    return run
  }

  /// The first number of a pack that has not been given.
  @inline(__always)
  private func start(_ pack: Int) -> Int64 { runs[pack].entry.number.rawValue }

  /// Moves on the packs whose entries were given.
  private func advanceGiven() throws(ShardError) {
    if !isBegun {
      isBegun = true
      for pack in cursors.indices where try take(pack) { push(pack) }
      return
    }
    if isTopGiven {
      isTopGiven = false
      if try moveOn(heap[0]) { siftDown() } else { removeTop() }
      return
    }
    while let pack = given.popLast() {
      if try moveOn(pack) { push(pack) }
    }
  }

  /// Takes the numbers that were given away from a pack; false when it has none left.
  @inline(__always)
  private func moveOn(_ pack: Int) throws(ShardError) -> Bool {
    let left = runs[pack].count - givenCount
    if left == 0 { return try take(pack) }
    runs[pack].entry.number = PhoneNumber(start(pack) + Int64(givenCount))
    runs[pack].count = left
    return true
  }

  /// Takes the next row or run of a pack; false when there is none.
  private func take(_ pack: Int) throws(ShardError) -> Bool {
    guard let run = try cursors[pack].nextRun() else { return false }
    runs[pack] = run
    return true
  }

  private func push(_ pack: Int) {
    heap.append(pack)
    var place = heap.count - 1
    while place > 0 {
      let parent = (place - 1) / 2
      guard isBefore(heap[place], heap[parent]) else { return }
      heap.swapAt(place, parent)
      place = parent
    }
  }

  private func removeTop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    siftDown()
  }

  private func siftDown() {
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count && isBefore(heap[child], heap[least]) {
        least = child
      }
      if least == place { return }
      heap.swapAt(place, least)
      place = least
    }
  }

  @inline(__always)
  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    let (one, other) = (start(left), start(right))
    return one != other ? one < other : left < right
  }

  private func contradiction(_ number: PhoneNumber, of pack: Int) -> PackError {
    PackError(
      .damaged, shards[pack].path, "gives \(number) another label than the packs before it",
      hint: "the packs are not of one release: fetch all of them again")
  }

  @inline(__always)
  private static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    guard let first = left.baseAddress, let second = right.baseAddress else { return true }
    return memcmp(first, second, left.count) == 0
  }
}
