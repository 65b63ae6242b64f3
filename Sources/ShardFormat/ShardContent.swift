internal import Digests

/// The sections of a shard as pointers into the mapped file, with the search over its blocks.
///
/// Sendable because the pointers go into a mapping that is only read and outlives this value: `Shard` holds both.
package struct ShardContent: @unchecked Sendable {
  /// The blocks, one after the other.
  let blocks: UnsafeRawBufferPointer
  /// The checksum of each block, 4 bytes each; empty in a shard of version 1.0.
  let blockChecksums: UnsafeRawBufferPointer
  /// Whether the profile is balanced.
  let isCoded: Bool
  /// How labels are coded; nil in the plain profile.
  let codes: CodedLabels?
  let rows: Int
  let blockCount: Int
  /// Where `blocks` begins in the file, for messages.
  let blocksOffset: Int
  let repeats: Bool
  /// Numbers that are in no block, as ranges.
  let runs: ShardRuns

  private let samples: BlockSamples
  private let numbersBase: UnsafeRawPointer
  private let offsetsBase: UnsafeRawPointer
  private let blocksBase: UnsafeRawPointer
  private let numberStride: Int
  private let offsetStride: Int
  private let numberMask: UInt64
  private let offsetMask: UInt64
  /// Which blocks were found to have their checksums.
  private let soundBlocks: BlockMarks
  private let hasChecksums: Bool

  package static let indexHeadBytes = 8

  init(_ bytes: UnsafeRawBufferPointer, _ header: ShardHeader, path: String) throws(ShardError) {
    isCoded = header.profile == .balanced
    let isCoded = isCoded
    let known: [ShardSection.ID] =
      isCoded
      ? [.blockIndex, .codedBlocks, .phraseDictionary, .repeatedLabels, .blockChecksums, .runs]
      : [.blockNumbers, .blockOffsets, .plainBlocks, .blockChecksums, .runs]
    for section in header.sections where section.mustBeKnown && !known.contains(section.id) {
      throw ShardError(
        .unsupported, path: path, what: "section \(section.id.rawValue)", offset: section.offset,
        expectation: "sections this version knows", found: "one that must be known",
        fix: "use a newer version to read it")
    }
    func section(_ id: ShardSection.ID) throws(ShardError) -> ShardSection {
      guard let section = header.sections.first(where: { $0.id == id }) else {
        throw ShardError(
          .malformed, path: path, what: "section \(id.rawValue) (\(id))", offset: header.tableOffset,
          expectation: "it in the section table", found: "none", fix: ShardError.replaceFile)
      }
      return section
    }
    func buffer(_ section: ShardSection) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: bytes[section.offset..<(section.offset + section.byteCount)])
    }
    rows = header.rows
    blockCount = rows / ShardLayout.rowsPerBlock + (rows % ShardLayout.rowsPerBlock == 0 ? 0 : 1)
    let blockCount = blockCount
    func check(_ section: ShardSection, _ width: Int, head: Int = 0) throws(ShardError) {
      let (whole, overflow) = blockCount.multipliedReportingOverflow(by: width)
      guard !overflow, section.byteCount >= head, section.byteCount - head == whole else {
        throw ShardError(
          .malformed, path: path, what: "length of section \(section.id.rawValue) (\(section.id))",
          offset: section.offset, expectation: "\(width) bytes for each block of \(header.rows) rows",
          found: "\(section.byteCount)", fix: ShardError.replaceFile)
      }
    }
    let data = try section(isCoded ? .codedBlocks : .plainBlocks)
    // Loads of eight bytes may reach behind a section: the trailer of the file stands behind all of them.
    guard let base = bytes.baseAddress else { preconditionFailure("a header was read from these bytes") }
    blocksBase = base + data.offset
    blocks = buffer(data)
    blocksOffset = data.offset
    if isCoded {
      let index = try section(.blockIndex)
      let head = buffer(index)
      let widths = head.count < Self.indexHeadBytes ? (0, 0) : (Int(head[0]), Int(head[1]))
      guard (1...8).contains(widths.0), (1...8).contains(widths.1),
        head[2..<Self.indexHeadBytes].allSatisfy({ $0 == 0 })
      else {
        throw ShardError(
          .malformed, path: path, what: "head of section \(index.id.rawValue) (\(index.id))", offset: index.offset,
          expectation: "widths of 1 to 8 bytes", found: "\(widths.0) and \(widths.1)", fix: ShardError.replaceFile)
      }
      try check(index, widths.0 + widths.1, head: Self.indexHeadBytes)
      numberStride = widths.0 + widths.1
      offsetStride = numberStride
      numberMask = .max >> UInt64(64 - widths.0 * 8)
      offsetMask = .max >> UInt64(64 - widths.1 * 8)
      numbersBase = base + index.offset + Self.indexHeadBytes
      offsetsBase = numbersBase + widths.0
    } else {
      let numbers = try section(.blockNumbers)
      let offsets = try section(.blockOffsets)
      try check(numbers, 8)
      try check(offsets, 8)
      (numberStride, offsetStride) = (8, 8)
      (numberMask, offsetMask) = (.max, .max)
      numbersBase = base + numbers.offset
      offsetsBase = base + offsets.offset
    }
    let (start, step, mask) = (numbersBase, numberStride, numberMask)
    samples = BlockSamples(blocks: blockCount) { Int64(bitPattern: start.word($0 * step) & mask) }
    repeats = header.repeats
    if let section = header.sections.first(where: { $0.id == .runs }) {
      runs = try ShardRuns(bytes, section, path: path)
      guard !header.repeats else {
        throw ShardError(
          .malformed, path: path, what: "flags", expectation: "no repeats beside runs", found: "both",
          fix: ShardError.replaceFile)
      }
    } else {
      runs = .none
    }
    if isCoded || header.sections.contains(where: { $0.id == .blockChecksums }) {
      let checksums = try section(.blockChecksums)
      try check(checksums, 4)
      blockChecksums = buffer(checksums)
      soundBlocks = BlockMarks(count: blockCount)
      hasChecksums = true
    } else {
      blockChecksums = UnsafeRawBufferPointer(start: nil, count: 0)
      soundBlocks = BlockMarks(count: 0)
      hasChecksums = false
    }
    if isCoded {
      let dictionary = try section(.phraseDictionary)
      let repeated = try section(.repeatedLabels)
      do throws(PhraseTable.Fault) {
        codes = try CodedLabels(dictionary: buffer(dictionary), repeated: buffer(repeated))
      } catch {
        throw ShardError(
          .malformed, path: path, what: "phrase dictionary or repeated labels", offset: dictionary.offset,
          expectation: error.expectation, found: error.found, fix: ShardError.replaceFile)
      }
    } else {
      codes = nil
    }
  }

  /// The first number of a block. Requires: 0 ≤ block < blockCount.
  @inline(__always)
  func firstNumber(of block: Int) -> Int64 {
    Int64(bitPattern: numbersBase.word(block &* numberStride) & numberMask)
  }

  /// Where a block begins, as stored. Requires: 0 ≤ block < blockCount.
  @inline(__always)
  func offset(of block: Int) -> UInt64 { offsetsBase.word(block &* offsetStride) & offsetMask }

  /// The block in which the first row with a number ≥ `number` stands, if it is not the first row of the next one.
  /// Requires: blockCount > 0. O(log blocks).
  @inline(__always)
  func block(for number: Int64) -> Int {
    // The last block that begins at or below `number`; with repeats strictly below, as the number may have begun there.
    let bound = repeats && number > .min ? number - 1 : number
    var low = samples.block(atOrBelow: bound)
    var count = min(samples.distance, blockCount &- low)
    while count > 1 {
      let half = count &>> 1
      low &+= firstNumber(of: low &+ half) <= bound ? half : 0
      count &-= half
    }
    return low
  }

  /// Asks for the beginning of a block. Requires: 0 ≤ block < blockCount.
  @inline(__always)
  func prefetch(_ block: Int, lines: Int) {
    // A wild offset does no harm: nothing is read.
    (blocksBase + Int(truncatingIfNeeded: offset(of: block) & 0xFFFF_FFFF_FFFF)).prefetch(lines: lines)
  }

  /// The bytes of a block; compares its checksum the first time. Requires: 0 ≤ block < blockCount.
  @inline(__always)
  private func bytes(of block: Int) throws(ShardBlock.Fault) -> UnsafeRawBufferPointer {
    let start = offset(of: block)
    let end = block &+ 1 < blockCount ? offset(of: block &+ 1) : UInt64(blocks.count)
    guard start <= end, end <= UInt64(blocks.count) else { throw .offsets }
    let bytes = UnsafeRawBufferPointer(start: blocksBase + Int(start), count: Int(end &- start))
    if hasChecksums, !soundBlocks.isSet(block) { try checkChecksum(of: block, bytes) }
    return bytes
  }

  @inline(never)
  private func checkChecksum(of block: Int, _ bytes: UnsafeRawBufferPointer) throws(ShardBlock.Fault) {
    guard CRC32C.checksum(of: bytes) == blockChecksums.little(block &* 4) else { throw .checksum }
    soundBlocks.set(block)
  }

  @inline(__always)
  private func rowCount(of block: Int) -> Int {
    min(ShardLayout.rowsPerBlock, rows &- block &* ShardLayout.rowsPerBlock)
  }

  /// Reads the frame of a plain block. Requires: 0 ≤ block < blockCount. O(1).
  @inline(__always)
  func openPlain(_ block: Int) throws(ShardBlock.Fault) -> ShardBlock {
    try ShardBlock(bytes(of: block), first: firstNumber(of: block), count: rowCount(of: block))
  }

  /// Reads the frame of a coded block. Requires: 0 ≤ block < blockCount. O(1).
  @inline(__always)
  func openCoded(_ block: Int) throws(ShardBlock.Fault) -> CodedBlock {
    try CodedBlock(bytes(of: block), first: firstNumber(of: block), count: rowCount(of: block))
  }

  /// Whether a number that is not in `block` may begin the next one: one that repeats is looked for in the block before.
  @inline(__always)
  func mayBegin(_ number: Int64, behind block: Int) -> Bool {
    repeats && block &+ 1 < blockCount && firstNumber(of: block &+ 1) == number
  }
}
