public import CallDirectory

extension Shard: DirectoryReading {
  /// In which families `number` is. O(log n): a search over the block index, which stays in the cache, and one block.
  public func find(_ number: PhoneNumber) -> DirectoryMatch {
    let value = number.rawValue
    // Most candidates of most callers lie outside a shard altogether: answered without touching the file.
    guard value >= bounds.first, value <= bounds.last else { return [] }
    guard let at = try? content.position(atOrAfter: value), at.open.number(of: at.row) == value else { return [] }
    var match: DirectoryMatch = at.open.isBlocked(at.row) ? .blocked : []
    if at.open.isIdentified(at.row) { match.insert(.identified) }
    return match
  }

  /// Calls `body` with each label of `number`, the one that is shown first. O(log n).
  public func forEachLabel(of number: PhoneNumber, _ body: (UnsafeRawBufferPointer) -> Void) {
    let value = number.rawValue
    guard let at = try? content.position(atOrAfter: value) else { return }
    var (block, row, open) = at
    while open.number(of: row) == value {
      if let label = open.label(of: row) { body(label) }
      guard repeatsNumbers else { return }
      row += 1
      if row == open.count {
        block += 1
        guard block < content.blockCount, let next = try? content.open(block) else { return }
        (row, open) = (0, next)
      }
    }
  }
}
