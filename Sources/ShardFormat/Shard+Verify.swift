internal import CallDirectory
internal import Digests
internal import SystemSupport

extension Shard {
  /// Reads the whole file and checks that it is what `FileFormat.md` says: zero padding, the checksum of each section, the
  /// order of all numbers, block flags, label lengths and UTF-8, the counts, and the digests of both families.
  ///
  /// O(bytes + numbers in runs), about 10 M labelled entries a second. `progress` is called with the rows done and
  /// the rows in all, about a hundred times. Throws a `ShardError` that names the first problem.
  public func verify(progress: ((_ done: Int, _ total: Int) -> Void)? = nil) throws {
    try checkPadding()
    try checkSections()
    if let codes = content.codes, !codes.hasSoundRepeatedLabels(LabelBuffer()) {
      throw problem(
        .malformed, "repeated labels", sections.first { $0.id == .repeatedLabels }?.offset,
        "labels of 1 to 65,534 bytes that begin where their offsets say", "something else")
    }
    try checkRuns()
    var check = ContentCheck(self)
    let step = max(1, content.blockCount / 100)
    for block in 0..<content.blockCount {
      try check.take(block: block)
      if let progress, block % step == step - 1 || block == content.blockCount - 1 {
        progress(min(rowCount, (block + 1) * ShardLayout.rowsPerBlock), rowCount)
      }
    }
    try check.finish()
  }

  private func checkPadding() throws(ShardError) {
    let bytes = file.bytes
    let table =
      bytes.count - ShardLayout.Trailer.bytes
      - ShardLayout.aligned(sections.count * ShardLayout.TableEntry.bytes)
    var gaps: [Range<Int>] = []
    var end = ShardLayout.Head.bytes
    for section in sections {
      gaps.append(end..<section.offset)
      end = section.offset + section.byteCount
    }
    gaps.append(end..<table)
    gaps.append((table + sections.count * ShardLayout.TableEntry.bytes)..<(bytes.count - ShardLayout.Trailer.bytes))
    for gap in gaps {
      if let offset = gap.first(where: { bytes[$0] != 0 }) {
        throw problem(.malformed, "padding", offset, "0", "\(bytes[offset])")
      }
      guard gap.count < ShardLayout.alignment else {
        throw problem(
          .malformed, "space between sections", gap.lowerBound, "less than \(ShardLayout.alignment) bytes",
          "\(gap.count)")
      }
    }
  }

  private func checkSections() throws(ShardError) {
    for section in sections {
      let bytes = file.bytes[section.offset..<(section.offset + section.byteCount)]
      let checksum = CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: bytes))
      guard checksum == section.checksum else {
        throw problem(
          .checksum, "checksum of section \(section.id.rawValue) (\(section.id))", section.offset,
          hex(section.checksum), hex(checksum))
      }
    }
  }

  /// Checks the runs, and that they have as many numbers as the trailer leaves for them: they are about to be expanded.
  private func checkRuns() throws(ShardError) {
    let runs = content.runs
    try runs.check(path: path)
    var numbers = 0
    var labels = 0
    var label = UnsafeRawBufferPointer(start: nil, count: 0)
    for run in 0..<runs.count {
      let count = runs.numberCount(of: run)
      // Within Int64: runs are disjoint.
      numbers += count
      guard let own = runs.label(of: run) else { continue }
      let (bytes, overflow) = count.multipliedReportingOverflow(by: own.count)
      let (sum, overflow2) = labels.addingReportingOverflow(bytes)
      guard !overflow, !overflow2 else {
        throw problem(.malformed, "run \(run)", runs.offset, "labels of at most \(Int.max) bytes in all", "more")
      }
      labels = sum
      // Runs that follow each other often share their label.
      if own.baseAddress == label.baseAddress, own.count == label.count { continue }
      label = own
      guard UTF8Validity.isValid(own) else {
        throw problem(.malformed, "run \(run)", runs.offset, "a label in UTF-8", "other bytes")
      }
    }
    guard numbers <= numberCount, numberCount - numbers <= rowCount else {
      throw problem(
        .malformed, "count of numbers", nil, "\(numbers) in runs and at most \(rowCount) rows", "\(numberCount)")
    }
    guard labels <= labelByteCount else {
      throw problem(.malformed, "sum of label lengths", nil, "at least \(labels)", "\(labelByteCount)")
    }
  }

  fileprivate func problem(
    _ code: ShardError.Code, _ what: String, _ offset: Int?, _ expectation: String, _ found: String
  ) -> ShardError {
    ShardError(
      code, path: path, what: what, offset: offset, expectation: expectation, found: found,
      fix: ShardError.replaceFile)
  }
}

/// Walks all rows and compares what they add up to with the trailer.
private struct ContentCheck {
  private let shard: Shard
  private let blocking = ContentDigest()
  private let identification = ContentDigest()
  private var numbers = 0
  private var labelBytes = 0
  private var first: Int64 = 0
  private var last: Int64 = 0
  private var lastHasLabel = false
  /// Where the next block has to begin.
  private var nextOffset: UInt64 = 0

  private let rows: ShardCursor
  /// The run that comes next.
  private var run = 0
  private var decodedNumbers: [Int64]

  init(_ shard: Shard) {
    self.shard = shard
    rows = ShardCursor(shard, checksSpans: true, skipsRuns: true)
    decodedNumbers = [Int64](repeating: 0, count: ShardLayout.rowsPerBlock)
  }

  mutating func take(block index: Int) throws(ShardError) {
    let content = shard.content
    let offset = content.offset(of: index)
    guard offset == nextOffset else {
      throw shard.problem(
        .malformed, "offset of block \(index)", content.blocksOffset, "\(nextOffset)", "\(offset)")
    }
    let place = content.blocksOffset + Int(offset)
    let count: Int
    do throws(ShardBlock.Fault) {
      count = content.codes == nil ? try checkPlain(index) : try checkCoded(index)
    } catch {
      throw content.describe(error, block: index, path: shard.path)
    }
    func fail(_ row: Int, _ expectation: String, _ found: String) -> ShardError {
      shard.problem(.malformed, "row \(row) of block \(index)", place, expectation, found)
    }
    for row in 0..<count {
      guard let entry = try rows.next() else { throw fail(row, "a row", "none") }
      let number = entry.number.rawValue
      let isBlocked = entry.isBlocked
      let label = entry.label
      guard isBlocked || label != nil else { throw fail(row, "a block, a label or both", "neither") }
      try takeRuns(before: number)
      if number <= last {
        let isRepeat = number == last && number > 0 && shard.repeatsNumbers && lastHasLabel && !isBlocked
        guard isRepeat else { throw fail(row, "a number above \(last)", "\(number)") }
      } else {
        numbers += 1
      }
      if first == 0 { first = number }
      last = number
      lastHasLabel = label != nil
      if isBlocked { blocking.append(number) }
      if let label {
        guard CallLabel.isKept(byteCount: label.count) else {
          throw fail(row, "a label of at most \(CallLabel.maximumBytes) bytes", "\(label.count)")
        }
        guard UTF8Validity.isValid(label) else { throw fail(row, "a label in UTF-8", "other bytes") }
        identification.append(number, label: label)
        labelBytes += label.count
      }
    }
  }

  /// Takes the runs that begin below `number`; nil for all that are left.
  private mutating func takeRuns(before number: Int64?) throws(ShardError) {
    let runs = shard.content.runs
    while run < runs.count {
      let start = runs.first(of: run)
      if let number, start >= number { return }
      guard start > last else {
        throw shard.problem(.malformed, "run \(run)", runs.offset, "a number above \(last)", "\(start)")
      }
      let count = runs.numberCount(of: run)
      if runs.isBlocked(run) { blocking.append(start, count: count) }
      if let label = runs.label(of: run) {
        identification.append(start, count: count, label: label)
        labelBytes += label.count * count
      }
      if first == 0 { first = start }
      last = runs.last(of: run)
      lastHasLabel = false
      numbers += count
      run += 1
    }
  }

  /// Checks what the frame of a plain block says of itself; gives its rows.
  private mutating func checkPlain(_ index: Int) throws(ShardBlock.Fault) -> Int {
    let block = try shard.content.openPlain(index)
    try block.checkLabelEnds()
    guard block.number(of: 0) == block.first else { throw .numbers }
    guard block.hasExactFamilies else { throw .families }
    nextOffset += UInt64(block.bytes.count)
    return block.count
  }

  /// Checks that a coded block says the same whichever way it is asked; gives its rows. Its labels are checked by the cursor.
  private mutating func checkCoded(_ index: Int) throws(ShardBlock.Fault) -> Int {
    let block = try shard.content.openCoded(index)
    let result = decodedNumbers.withUnsafeMutableBufferPointer { numbers in
      Result { () throws(ShardBlock.Fault) in
        guard let numbers = numbers.baseAddress else { return }
        try block.decodeNumbers(into: numbers)
        try block.check(numbers)
      }
    }
    try result.get()
    nextOffset += UInt64(block.byteCount)
    return block.count
  }

  mutating func finish() throws(ShardError) {
    try takeRuns(before: nil)
    func same<V: Equatable>(_ what: String, _ stored: V, _ counted: V, _ code: ShardError.Code = .malformed)
      throws(ShardError)
    {
      guard stored == counted else { throw shard.problem(code, what, nil, "\(counted)", "\(stored)") }
    }
    try same("length of the blocks", UInt64(shard.content.blocks.count), nextOffset)
    try same("count of blocking entries", shard.counts.blocking, blocking.count)
    try same("count of identification entries", shard.counts.identification, identification.count)
    try same("count of numbers", shard.numberCount, numbers)
    try same("flag for repeated numbers", shard.repeatsNumbers, shard.runCount == 0 && shard.rowCount > numbers)
    try same("sum of label lengths", shard.labelByteCount, labelBytes)
    try same("first number", shard.bounds.first, first)
    try same("last number", shard.bounds.last, last)
    try same("digest of the blocking family", shard.contentDigests.blocking, blocking.finish(), .checksum)
    try same(
      "digest of the identification family", shard.contentDigests.identification, identification.finish(), .checksum)
  }
}
