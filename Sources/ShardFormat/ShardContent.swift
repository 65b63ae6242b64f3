/// The three sections of a plain shard as buffers in the mapped file, with the block search over them.
///
/// Sendable because the buffers point into a mapping that is only read and outlives this value: `Shard` holds both.
struct ShardContent: @unchecked Sendable {
  /// First number of each block, 8 bytes each.
  let blockNumbers: UnsafeRawBufferPointer
  /// Where each block begins in `blocks`, 8 bytes each.
  let blockOffsets: UnsafeRawBufferPointer
  /// The blocks, one after the other.
  let blocks: UnsafeRawBufferPointer
  let rows: Int
  let blockCount: Int
  /// Where `blocks` begins in the file, for messages.
  let blocksOffset: Int
  let repeats: Bool

  init(_ bytes: UnsafeRawBufferPointer, _ header: ShardHeader, path: String) throws(ShardError) {
    let known: [ShardSection.ID] = [.blockNumbers, .blockOffsets, .plainBlocks]
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
    let numbers = try section(.blockNumbers)
    let offsets = try section(.blockOffsets)
    let data = try section(.plainBlocks)
    rows = header.rows
    blockCount = rows / ShardLayout.rowsPerBlock + (rows % ShardLayout.rowsPerBlock == 0 ? 0 : 1)
    for section in [numbers, offsets] where section.byteCount % 8 != 0 || section.byteCount / 8 != blockCount {
      throw ShardError(
        .malformed, path: path, what: "length of section \(section.id.rawValue) (\(section.id))",
        offset: section.offset, expectation: "8 bytes for each block of \(rows) rows", found: "\(section.byteCount)",
        fix: ShardError.replaceFile)
    }
    blockNumbers = buffer(numbers)
    blockOffsets = buffer(offsets)
    blocks = buffer(data)
    blocksOffset = data.offset
    repeats = header.repeats
  }

  /// The first number of a block. Requires: 0 ≤ block < blockCount.
  @inline(__always)
  func firstNumber(of block: Int) -> Int64 { blockNumbers.little(block &* 8) }

  /// The block in which the first row with a number ≥ `number` stands, if it is not the first row of the next one.
  /// Requires: blockCount > 0. O(log blocks).
  @inline(__always)
  func block(for number: Int64) -> Int {
    // The last block that begins at or below `number`; with repeats strictly below, as the number may have begun there.
    let bound = repeats && number > .min ? number - 1 : number
    var low = 0
    var count = blockCount
    while count > 1 {
      let half = count &>> 1
      low = firstNumber(of: low &+ half) <= bound ? low &+ half : low
      count &-= half
    }
    return low
  }

  /// Reads the frame of a block. Requires: 0 ≤ block < blockCount. O(1).
  @inline(__always)
  func open(_ block: Int) throws(ShardBlock.Fault) -> ShardBlock {
    let start = blockOffsets.little(block &* 8, as: UInt64.self)
    let end = block &+ 1 < blockCount ? blockOffsets.little(block &* 8 &+ 8, as: UInt64.self) : UInt64(blocks.count)
    guard start <= end, end <= UInt64(blocks.count) else { throw .offsets }
    let expected = min(ShardLayout.rowsPerBlock, rows &- block &* ShardLayout.rowsPerBlock)
    return try ShardBlock(
      UnsafeRawBufferPointer(rebasing: blocks[Int(start)..<Int(end)]), first: firstNumber(of: block), count: expected)
  }

  /// The first row with a number ≥ `number`, as block and row in it; nil behind the last or when a block is damaged.
  @inline(__always)
  func position(atOrAfter number: Int64) throws(ShardBlock.Fault) -> (block: Int, row: Int, open: ShardBlock)? {
    guard blockCount > 0 else { return nil }
    let block = block(for: number)
    let open = try open(block)
    let row = open.row(atOrAfter: number)
    if row < open.count { return (block, row, open) }
    guard block &+ 1 < blockCount else { return nil }
    return (block &+ 1, 0, try self.open(block &+ 1))
  }
}
