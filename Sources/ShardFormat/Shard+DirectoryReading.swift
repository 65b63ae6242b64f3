public import CallDirectory

extension Shard: DirectoryReading {
  /// In which families `number` is. O(log n): a search over the block index, which stays in the cache, and one
  /// block, and before that over the runs where there are some.
  public func find(_ number: PhoneNumber) -> DirectoryMatch {
    let value = number.rawValue
    // Most candidates of most callers lie outside a shard altogether: answered without touching the file.
    guard value >= bounds.first, value <= bounds.last else { return [] }
    if let run = content.runs.index(of: value, path: path) { return content.runs.match(of: run) }
    guard content.blockCount > 0 else { return [] }
    let block = content.block(for: value)
    // Numbers and flags of a block take about four lines; of its labels nothing is needed.
    content.prefetch(block, lines: 4)
    if let found = try? match(value, in: block) { return found }
    guard content.mayBegin(value, behind: block), let found = try? match(value, in: block &+ 1) else { return [] }
    return found
  }

  /// Nil when the block does not have the number.
  @inline(__always)
  private func match(_ value: Int64, in block: Int) throws(ShardBlock.Fault) -> DirectoryMatch? {
    var match: DirectoryMatch = []
    if content.isCoded {
      let open = try content.openCoded(block)
      guard let row = open.row(of: value) else { return nil }
      if open.isBlocked(row) { match.insert(.blocked) }
      if open.isIdentified(row) { match.insert(.identified) }
    } else {
      let open = try content.openPlain(block)
      guard let row = open.row(of: value) else { return nil }
      if open.isBlocked(row) { match.insert(.blocked) }
      if open.isIdentified(row) { match.insert(.identified) }
    }
    return match
  }

  /// Calls `body` with each label of `number`, the one that is shown first. O(log n).
  public func forEachLabel(of number: PhoneNumber, _ body: (UnsafeRawBufferPointer) -> Void) {
    let value = number.rawValue
    guard value >= bounds.first, value <= bounds.last else { return }
    if let run = content.runs.index(of: value, path: path) {
      if let label = content.runs.label(of: run) { body(label) }
      return
    }
    guard content.blockCount > 0 else { return }
    var block = content.block(for: value)
    content.prefetch(block, lines: 14)
    _ = content.isCoded ? codedLabels(of: value, in: block, body) : plainLabels(of: value, in: block, body)
    // With repeats the rows may begin with the next block, or go on there.
    while content.mayBegin(value, behind: block) {
      block &+= 1
      _ = content.isCoded ? codedLabels(of: value, in: block, body) : plainLabels(of: value, in: block, body)
    }
  }

  /// False when the block does not have the number or is damaged.
  @inline(__always)
  private func plainLabels(of value: Int64, in block: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard let open = try? content.openPlain(block), var row = open.row(of: value) else { return false }
    repeat {
      if let label = open.label(of: row) { body(label) }
      row &+= 1
    } while repeatsNumbers && row < open.count && open.number(of: row) == value
    return true
  }

  /// False when the block does not have the number or is damaged.
  @inline(__always)
  private func codedLabels(of value: Int64, in block: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard let codes = content.codes, let open = try? content.openCoded(block), var row = open.row(of: value) else {
      return false
    }
    repeat {
      if open.isIdentified(row) { Self.withLabel(of: row, in: open, codes, body) }
      row &+= 1
    } while repeatsNumbers && row < open.count && open.number(of: row) == value
    return true
  }

  /// Most labels fit on the stack; a longer one takes 64 KiB for the time of the call.
  private static func withLabel(
    of row: Int, in block: CodedBlock, _ codes: CodedLabels, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    let spare = 2 * PhraseList.longestPhrase
    let isDone = withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 16) { buffer -> Bool in
      guard let target = buffer.baseAddress,
        let length = codes.label(of: row, in: block, target, capacity: buffer.count - spare)
      else { return false }
      if length > 0 { body(UnsafeRawBufferPointer(start: target, count: length)) }
      return true
    }
    if isDone { return }
    withUnsafeTemporaryAllocation(byteCount: CodedLabels.labelRoom, alignment: 16) { buffer in
      guard let target = buffer.baseAddress,
        let length = codes.label(of: row, in: block, target, capacity: buffer.count - spare), length > 0
      else { return }
      body(UnsafeRawBufferPointer(start: target, count: length))
    }
  }
}
