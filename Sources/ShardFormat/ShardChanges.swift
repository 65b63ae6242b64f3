public import CallDirectory

/// What leads from an old shard to a new one, in the steps of an incremental load: an extension first removes, then adds,
/// each family by itself and ascending (R-INC-4). A number whose label has changed is removed and added.
///
/// Two shards walked side by side; nothing is kept but two cursors. Of a number with several labels the one that is shown
/// counts. Any thread; several at once too.
public struct ShardChanges: Sendable {
  /// What the phone has.
  public let old: Shard
  /// What it is to have.
  public let new: Shard

  /// The changes from `old` to `new`.
  public init(from old: Shard, to new: Shard) {
    self.old = old
    self.new = new
  }

  /// Calls `body` with each number of `family` that is to be removed, ascending. O(entries of both). Throws what `body`
  /// throws, and a `ShardError` when a block is damaged.
  public func forEachRemoval(of family: EntryFamily, _ body: (PhoneNumber) throws -> Void) throws {
    try walk { numbers, before, after in
      guard before.holds(family), !after.holds(family) || before.differs(after, family) else { return }
      for number in numbers { try body(PhoneNumber(number)) }
    }
  }

  /// Calls `body` with each number of `family` that is to be added, ascending, and its label, which is nil in the blocking
  /// family and borrowed until `body` returns. Costs and errors as above.
  public func forEachAddition(
    of family: EntryFamily, _ body: (PhoneNumber, UnsafeRawBufferPointer?) throws -> Void
  ) throws {
    try walk { numbers, before, after in
      guard after.holds(family), !before.holds(family) || before.differs(after, family) else { return }
      let label = family == .identification ? after.label : nil
      for number in numbers { try body(PhoneNumber(number), label) }
    }
  }

  /// Calls `body` with the numbers of either shard, ascending, as many at a time as are alike, and what both say of them.
  private func walk(_ body: (ClosedRange<Int64>, Side, Side) throws -> Void) throws {
    var before = try Side(old)
    var after = try Side(new)
    while !(before.isAtEnd && after.isAtEnd) {
      let first = min(before.first, after.first)
      let last = min(before.end(of: first), after.end(of: first))
      try body(first...last, before.at(first), after.at(first))
      try before.pass(last)
      try after.pass(last)
    }
  }

  /// One shard at the numbers it has next.
  private struct Side {
    private let cursor: ShardCursor
    private(set) var isAtEnd = false
    /// The greatest of all numbers behind the last.
    private(set) var first = Int64.max
    private var last = Int64.max
    private var isBlocked = false
    private(set) var label: UnsafeRawBufferPointer?

    init(_ shard: Shard) throws(ShardError) {
      cursor = shard.makeCursor()
      try advance(behind: nil)
    }

    /// Up to where nothing changes from `number` on, which is not behind `first`.
    func end(of number: Int64) -> Int64 { first == number ? last : first - 1 }

    /// What is said of `number`: nothing when it comes before `first`.
    func at(_ number: Int64) -> Side {
      var side = self
      if first != number || isAtEnd { (side.isBlocked, side.label) = (false, nil) }
      return side
    }

    func holds(_ family: EntryFamily) -> Bool { family == .blocking ? isBlocked : label != nil }

    func differs(_ other: Side, _ family: EntryFamily) -> Bool {
      guard family == .identification, let label, let otherLabel = other.label else { return false }
      return !label.elementsEqual(otherLabel)
    }

    /// Goes behind `number`.
    mutating func pass(_ number: Int64) throws(ShardError) {
      guard first <= number, !isAtEnd else { return }
      if number < last { first = number + 1 } else { try advance(behind: last) }
    }

    private mutating func advance(behind passed: Int64?) throws(ShardError) {
      repeat {
        guard let run = try cursor.nextRun() else {
          isAtEnd = true
          first = .max
          last = .max
          return
        }
        first = run.entry.number.rawValue
        last = run.numbers.upperBound.rawValue
        isBlocked = run.entry.isBlocked
        label = run.entry.label
      } while first == passed
    }
  }
}
